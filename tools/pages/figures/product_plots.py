"""Plots of the matrix products, and the roofline, which has every chapter."""

import json
import math
import re
import sys

import results_files
from plotting import (BLUE, FAINT, INK, LAYOUTS, Figure, as_list, axes_in, beside, cold, heading, is_narrow,
                      key_entry, label_stack, pick, whiskered_bar)  # fmt: skip

CHAPTERS = ("08_gemm_tiling", "09_gemm_unroll")  # whose page it is: chapter 19 has a plot of its own


def short(row):
    """A rung's name, with its block as a square: 32² for 32 x 32."""
    return f"{row['chapter'][:2]}  " + re.sub(r"(\d+) x \1$", r"\1²", row["kernel"])


def product_ladder(gpu, report):
    """Every rung of the matrix product at the sizes of the file, a list of bars for each."""
    keys = ("chapter", "kernel", "rows", "operations", "gflop_per_s", "p10_ms", "p90_ms")
    square = [pick(row, *keys) for row in report["kernels"] if row.get("inner") == row["rows"] == row["cols"]
              and row["cache"] == "cold" and row["chapter"] in CHAPTERS and not row["kernel"].startswith("as it is")]  # that is 08's tiled kernel
    if not square:
        return None
    device, sizes = report["device"]["name"], sorted({row["rows"] for row in square})
    ours = [row for row in square if not row["kernel"].startswith("cuBLAS")]
    library = {row["rows"]: row["gflop_per_s"] for row in square if row not in ours}
    names = list(dict.fromkeys(short(row) for row in ours))
    names.sort(key=lambda name: name[:2])  # and else as in the file
    scale = 1.03 * max(row["operations"] / row["p10_ms"] / 1e6 for row in ours)
    lines = len(names) + bool(library)

    def list_of(axes, size, named):
        """The bars of one size. The library's runs off the scale, and so is drawn broken."""
        as_list(axes, lines).set_xlim(0, scale)
        ticks = [tick for tick in range(0, 100_000, 5_000) if tick < scale]
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.set_title(f"N = {size:,}", loc="left", fontsize=10, weight="bold", pad=5)
        best = max((row for row in ours if row["rows"] == size), key=lambda row: row["gflop_per_s"])
        for line, name in enumerate(names):
            weight = "bold" if name == short(best) else "normal"
            if named:
                beside(axes, -0.06, line, name, fontsize=9)
            for row in ours:
                if row["rows"] == size and short(row) == name:
                    slow, fast = (row["operations"] / row[t] / 1e6 for t in ("p90_ms", "p10_ms"))
                    whiskered_bar(axes, line, slow, row["gflop_per_s"], fast, BLUE)
                    beside(axes, 0.56, line, f"{row['gflop_per_s']:,.0f}", ha="right", fontsize=9, weight=weight)
        if size in library:
            for begin, end in ((0, 0.84), (0.88, 1)):
                axes.barh(lines - 1, (end - begin) * scale, left=begin * scale, height=0.62, color=FAINT)
            if named:
                beside(axes, -0.06, lines - 1, "cuBLAS", fontsize=9)
            beside(axes, 0.56, lines - 1, f"{library[size]:,.0f}", ha="right", fontsize=9)

    def draw(page):
        below = heading(page, "The product of N × N matrices, rung by rung: GFLOP/s",
                        f"{device}; 16² and 32²: the threads of a block; cuBLAS is beyond the scale")  # fmt: skip
        width, high = page.get_figwidth(), page.get_figheight()
        if is_narrow(page):
            part = (high - below) / len(sizes)
            for k, size in enumerate(sizes):
                list_of(axes_in(page, 1.38, 0.62, below + part * k + 0.42, part * (len(sizes) - 1 - k) + 0.28), size,
                        True)  # fmt: skip
        else:
            left = 1.5
            part = (width - left - 0.1) / len(sizes)
            for k, size in enumerate(sizes):
                list_of(axes_in(page, left + part * k, part * (len(sizes) - 1 - k) + 0.75, below + 0.45, 0.4), size,
                        k == 0)  # fmt: skip

    most = max((row for row in ours if row["rows"] == sizes[-1]), key=lambda row: row["gflop_per_s"])
    beside_it = f" cuBLAS has {library[sizes[-1]]:,.0f}." if sizes[-1] in library else ""
    return Figure(
        f"sgemm-ladder-{gpu}",
        f"The SGEMM ladder, {device}",
        f"A bar for each rung in GFLOP/s, for N = {'; '.join(f'{size:,}' for size in sizes)}. At {sizes[-1]:,} the longest is "
        f"{most['kernel']}, with {most['gflop_per_s']:,.0f}.{beside_it}",
        {"device": device, "kernels": square},
        1.35 + 0.235 * lines,
        1.0 + len(sizes) * (0.7 + 0.22 * lines),
        draw,
    )


def rung_of(instance):
    """The rung's name of a kernel as the profiler names it, gemm_unroll<32, ByHand>; None if it is another's."""
    found = re.fullmatch(r"gemm_(tiled|early|unroll)<(\d+)(?:, (\w+))?>", instance)
    if not found:
        return None
    form = {"tiled": "tiled ", "early": "prefetched, "}.get(found[1])
    form = form or re.sub(r"(?<=.)(?=[A-Z])", " ", found[3]).lower() + ", "
    return f"{form}{found[2]} x {found[2]}"


def shared_roof(gpu):
    """What shared memory delivers in GB/s, and for each rung its operations for each byte that shared memory moves, by
    the GPU's own counters: a wavefront is 128 bytes. None if that GPU was not asked."""
    folder = results_files.RESULTS / gpu
    measured = folder / "shared_bandwidth.json"
    if not measured.is_file():
        return None
    [row] = json.loads(measured.read_text(encoding="utf-8"))["results"]
    if not row["verified"]:
        sys.exit("plots: what shared memory delivers is not verified")
    found = {}
    for path in sorted((folder / "counters" / "launches").glob("*_gemm_*_whole.json")):
        counted = json.loads(path.read_text(encoding="utf-8"))
        extents = dict(zip(counted["options"][::2], counted["options"][1::2]))
        operations = 2 * math.prod(int(extents[name]) for name in ("--m", "--n", "--k"))
        for kernel in counted["kernels"]:
            if (name := rung_of(kernel["instance"])) and kernel["shared_load_wavefronts"]:
                found[name] = operations / (128 * kernel["shared_load_wavefronts"])
    return row["gb_per_s"], found


def roofline(gpu, report):
    """Every kernel at the shape that its chapter speaks of: what it computes a byte, and how fast."""
    keys = ("chapter", "kernel", "layout", "bytes", "operations", "gflop_per_s")
    product = {"rows": 4096, "cols": 4096, "inner": 4096, "cache": "cold", "bound": "fma"}
    products = [pick(row, *keys) for row in report["kernels"]
                if results_files.holds(row, product) and row["chapter"] in CHAPTERS]  # fmt: skip
    if not products:
        return None
    vectors = [pick(row, *keys) for row in cold(report, 16384, 16384)]
    saxpy = {"chapter": "00_first_kernel", "rows": 1 << 28, "cache": "cold"}
    vectors += [pick(row, *keys) for row in report["kernels"] if results_files.holds(row, saxpy)]
    device = report["device"]["name"]
    read, fma = report["ceilings"]["read"]["gb_per_s"], report["ceilings"]["fma"]["gflop_per_s"]
    ridge = fma / read
    rows = vectors + products
    shared, from_shared = shared_roof(gpu) or (None, {})
    places = {id(row): row["operations"] / row["bytes"] for row in rows}
    low, high = min([0.25, *places.values()]) / 12, max([ridge, *places.values()]) * 4
    floor = min(row["gflop_per_s"] for row in rows) / 2

    def draw(page):
        tight = is_narrow(page)
        key = "hollow circle: cuBLAS" + ("; triangles: for each byte of shared memory" if shared else "")
        more = f"; {key}" if tight else ""
        below = heading(page, "Roofline: what memory and arithmetic allow, and what each kernel reaches",
                f"{device}; SAXPY 2²⁸, SGEMV 16,384 × 16,384, SGEMM 4,096 × 4,096 × 4,096; operations for each byte that "
                f"must move{more}")  # fmt: skip
        axes = axes_in(page, left=0.7, right=0.3, top=below + 0.5, bottom=0.7, spines=("left", "bottom"))
        right = high / 2.5 if tight else high
        axes.set(xscale="log", yscale="log", xlim=(low, right), ylim=(floor, fma * 2.5))
        for axis, (least, most) in ((axes.xaxis, (low, right)), (axes.yaxis, axes.get_ylim())):
            axis.set_ticks([], minor=True)
            axis.set_ticks([tick for e in range(-3, 9) for tick in (10.0**e,) if least <= tick <= most])
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,g}")
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}")
        axes.set_xlabel("operations per byte", color=FAINT, fontsize=9)
        axes.text(0, 1.03, "GFLOP/s", transform=axes.transAxes, ha="right", color=FAINT, fontsize=9)
        axes.grid()
        axes.plot([low, ridge, right], [low * read, fma, fma], color=INK, linewidth=1.4)
        axes.annotate(f"FMA ceiling {fma:,.0f} GFLOP/s", (right, fma), (-4, 5), ha="right",
                      textcoords="offset points", fontsize=9)  # fmt: skip
        middle = ((0.6 if tight else 1.2) * ridge) ** 0.5
        slope = page.get_figheight() / page.get_figwidth() * axes.get_position().height / axes.get_position().width
        slope *= math.log(right / low) / math.log(fma * 2.5 / floor)
        axes.annotate(f"read ceiling {read:,.0f} GB/s", (middle, middle * read), (-5, 5), ha="center",
                      textcoords="offset points", fontsize=9, rotation=math.degrees(math.atan(slope)),
                      rotation_mode="anchor")  # fmt: skip
        if shared:
            begin = 3 * low  # left of it is a name
            axes.plot([begin, fma / shared], [begin * shared, fma], color=INK, linewidth=1.4, linestyle=(0, (4, 2)))
            middle = (fma / shared * begin) ** 0.5
            axes.annotate(f"shared memory {shared:,.0f} GB/s", (middle, middle * shared), (-5, 5), ha="center",
                          textcoords="offset points", fontsize=9, rotation=math.degrees(math.atan(slope)),
                          rotation_mode="anchor")  # fmt: skip
            for row in products:
                if x := from_shared.get(row["kernel"]):
                    axes.plot(x, row["gflop_per_s"], "^", color=BLUE, markersize=6, fillstyle="none")
        looks = LAYOUTS | {"vector": (FAINT, "s")}
        for row in rows:
            colour, marker = looks[row["layout"]]
            library = row["kernel"].startswith("cuBLAS")
            axes.plot(places[id(row)], row["gflop_per_s"], marker, color=colour, markersize=6,
                      fillstyle="none" if library else "full")  # fmt: skip
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            key_entry(axes, k, layout, colour, marker)
        if not tight:
            key_entry(axes, 2, key, FAINT)

        # Names for the best of each chapter and layout, the worst product and the library's product.
        def kind(row):
            return row["chapter"], row["layout"], row["kernel"].startswith("cuBLAS")

        stacks = {}
        for row in rows:
            best_of_kind = max((other for other in rows if kind(other) == kind(row)), key=lambda r: r["gflop_per_s"])
            worst_product = min(products, key=lambda r: r["gflop_per_s"])
            if row in (best_of_kind, worst_product) and not (kind(row)[2] and row in vectors):
                name = re.sub(r" (row|column)-major$", "", row["kernel"])
                name = re.sub(r",? (\d+ x \d+|float4)$", "", name) if tight else name
                name = "" if tight and places[id(row)] < 0.3 else name  # between the axis and the point is no room
                entry = row["gflop_per_s"], f"{row['chapter'][:2]} {name}".rstrip(), looks[row["layout"]][0]
                stacks.setdefault(round(places[id(row)], 2), []).append(entry)
        for place, labelled in stacks.items():
            label_stack(axes, place, labelled, right=0.3 < place < ridge)

    best = max((row for row in products if not row["kernel"].startswith("cuBLAS")), key=lambda row: row["gflop_per_s"])
    from_tiles = (f" A dashed line, what shared memory delivers, {shared:,.0f} GB/s, bounds the tiled kernels: triangles "
                  "a little below it." if shared else "")  # fmt: skip
    return Figure(
        f"roofline-{gpu}",
        f"Roofline of chapters 00 to 09, {device}",
        f"A line rises with the operations per byte to {fma:,.0f} GFLOP/s at {ridge:.0f}, and is level from there. "
        "Points: SAXPY at a sixth of an operation per byte, matrix-vector products at half an operation per byte, below "
        f"the rising line; matrix products at {places[id(best)]:.0f}, below the level one, our fastest at "
        f"{best['gflop_per_s']:,.0f} GFLOP/s.{from_tiles}",
        {"device": device, "read": read, "fma": fma, "kernels": rows}
        | ({"shared": shared, "from_shared": from_shared} if shared else {}),
        5.6,
        6.6,
        draw,
    )


PLOTS = [product_ladder, roofline]
