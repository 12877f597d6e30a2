"""Plots of chapters 01 to 07: the rungs of the matrix-vector product."""

import results_files
from plotting import (BLUE, FAINT, INK, LAYOUTS, ORANGE, Figure, axes_in, beside, cold, heading, is_narrow, is_ours,
                      key_entry, label_points, list_axes, pick, whiskered_bar)  # fmt: skip


def ladder(gpu, report):
    """Every rung at the shape that the chapters speak of, in per cent of what can be read."""
    keys = ("chapter", "kernel", "layout", "bytes", "p10_ms", "p90_ms", "percent_of_ceiling")
    kernels = [pick(row, *keys) for row in cold(report, 16384, 16384)]
    if not kernels:
        return None
    device, ceiling = report["device"]["name"], report["ceilings"]["read"]["gb_per_s"]
    library = {row["layout"]: row["percent_of_ceiling"] for row in kernels if row["kernel"].startswith("cuBLAS")}
    rungs = [row for row in kernels if not row["kernel"].startswith("cuBLAS")]
    rungs.sort(key=lambda row: (list(LAYOUTS).index(row["layout"]), row["chapter"]))
    lines = len(rungs) + 3  # either layout's name, and an empty one between them

    def draw(page):
        below = heading(page, "SGEMV, 16,384 × 16,384: how fast each rung reads the matrix",
                        f"{device}, per cent of the read ceiling, {ceiling:,.0f} GB/s; whiskers: 8 runs in 10",
                        )  # fmt: skip
        tight, small = is_narrow(page), {"fontsize": 9} if is_narrow(page) else {}
        axes = list_axes(page, lines, left=1.7 if tight else 2.15, right=0.66 if tight else 0.8, top=below + 0.25)
        axes.set_xlim(0, 104)
        ticks = range(0, 101, 50 if tight else 20)
        axes.set_xticks(ticks, [f"{x} %" for x in ticks])
        axes.axvline(100, color=INK, linewidth=1.2)
        line = 0
        for layout, (colour, _) in LAYOUTS.items():
            group = [row for row in rungs if row["layout"] == layout]
            beside(axes, -0.06, line, layout, weight="bold", color=colour)
            if x := library.get(layout):
                axes.vlines(x, line + 0.4, line + len(group) + 0.45, INK, linewidth=1.2, linestyle=(0, (3, 2)))
                axes.text(x, line, f"cuBLAS {x:.1f} %", ha="right", va="center_baseline", fontsize=9)
            for line, row in enumerate(group, line + 1):
                slow, fast = (100 * row["bytes"] / row[t] / 1e6 / ceiling for t in ("p90_ms", "p10_ms"))
                whiskered_bar(axes, line, slow, row["percent_of_ceiling"], fast, colour)
                weight = "bold" if is_ours(row) else "normal"
                name = row["kernel"].replace(f"ours {layout}", "ours")
                beside(axes, -0.06, line, f"{row['chapter'][:2]}  {name}", weight=weight, **small)
                beside(axes, 0.6 if tight else 0.68, line, f"{row['percent_of_ceiling']:.1f} %", ha="right",
                       weight=weight, **small)  # fmt: skip
            line += 2

    best = max(rungs, key=lambda row: row["percent_of_ceiling"])
    return Figure(
        f"sgemv-ladder-{gpu}",
        f"The SGEMV ladder, 16,384 × 16,384, {device}",
        "A bar for each kernel, in per cent of the read ceiling; in either layout a dashed line for cuBLAS. "
        f"The longest bar is {best['kernel']}, {best['percent_of_ceiling']:.1f} per cent.",
        {"device": device, "ceiling": ceiling, "kernels": kernels},
        1.25 + 0.235 * lines,
        1.55 + 0.225 * lines,
        draw,
    )


def shapes(gpu, report):
    """Ours against the library at every shape of the file."""
    keys = ("layout", "rows", "cols", "cache", "ratio_to_cublas")
    kernels = [pick(row, *keys) for row in report["kernels"] if is_ours(row)]
    if not kernels:
        return None
    device, ratios = report["device"]["name"], [row["ratio_to_cublas"] for row in kernels]

    def place(row):  # squares by size, then the others by their number of rows; a shape hot, then cold
        m, n = row["rows"], row["cols"]
        name = f"{m:,}²" if m == n else f"{m:,} × {n:,}"
        return m != n, m, n, row["cache"] == "cold", name + (", hot" if row["cache"] == "hot" else "")

    places = sorted({place(row) for row in kernels})

    def draw(page):
        below = heading(page, "SGEMV: ours against cuBLAS, shape by shape",
                        f"{device}; 2 is twice as fast as the library; hollow: hot, in the level-2 cache")  # fmt: skip
        tight = is_narrow(page)
        column, step = (0.3, 0.6) if tight else (0.65, 1.1)  # where the figures are, right of the axes
        axes = list_axes(page, len(places), left=1.4 if tight else 1.6, right=1.3 if tight else 2.3, top=below + 0.45)
        low, high = min(0.9, *ratios) / 1.03, max(1.1, *ratios) * 1.03
        near, far = (0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 2), (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
        ticks = [x for x in (far if high / low > 3 else near) if low <= x <= high]
        axes.set(xscale="log", xlim=(low, high))
        axes.set_xticks([], minor=True)
        ticks = [1, *ticks[-2:]] if tight else ticks
        axes.set_xticks(ticks, [f"{x:g} ×" for x in ticks])
        axes.axvline(1, color=INK, linewidth=1.2)
        for line, (*_, name) in enumerate(places):
            beside(axes, -0.08, line, name, fontsize=9 if tight else 10)
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            head = layout.removesuffix("-major") if tight else layout
            beside(axes, column + step * k, -1, head, weight="bold", color=colour, fontsize=9)
            for row in kernels:
                if row["layout"] == layout:
                    line, ratio = places.index(place(row)), row["ratio_to_cublas"]
                    axes.plot(ratio, line - 0.12 + 0.24 * k, marker, color=colour, markersize=6.5, clip_on=False,
                              markeredgewidth=1.6, fillstyle="none" if row["cache"] == "hot" else "full")  # fmt: skip
                    beside(axes, column + step * k, line, f"{ratio:.3f}", fontsize=9)

    least = kernels[ratios.index(min(ratios))]
    return Figure(
        f"sgemv-shapes-{gpu}",
        f"SGEMV: ours against cuBLAS, {device}",
        "Points for each shape and layout: cuBLAS's time over ours; right of the line at 1 ours is faster. "
        f"The least is {min(ratios):.3f}, at {place(least)[-1]}, {least['layout']}.",
        {"device": device, "kernels": kernels},
        1.45 + 0.25 * len(places),
        1.85 + 0.25 * len(places),
        draw,
    )


def little(gpu, report):
    """What Little's law lets the rungs reach, and what they reach."""
    keys = ("chapter", "kernel", "layout", "gb_per_s", "bytes_in_flight")
    kernels = [pick(row, *keys) for row in cold(report, 16384, 16384) if "bytes_in_flight" in row]
    if "latency" not in report or not kernels:
        return None
    device, latency = report["device"]["name"], report["latency"]["memory_ns"]
    ceiling = report["ceilings"]["read"]["gb_per_s"]
    enough = ceiling * latency  # bytes: GB/s are bytes a ns
    spread = [enough, *(row["bytes_in_flight"] for row in kernels)]
    low, high = min(spread) / 2.5, max(spread) * 2.5

    def draw(page):
        tight = is_narrow(page)
        below = heading(page, "Little's law: bytes in flight, and the speed that they allow",
                        f"{device}, 16,384 × 16,384; latency {latency:.0f} ns, read ceiling {ceiling:,.0f} GB/s",
                        )  # fmt: skip
        axes = axes_in(page, left=0.7, right=0.3, top=below + 0.5, bottom=0.7, spines=("left", "bottom"))
        slowest = min(low / latency, *(row["gb_per_s"] for row in kernels))
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(slowest / 1.5, ceiling * (3 if tight else 1.8)))
        for axis, (least, most), steps in ((axes.xaxis, (low, high), (1,) if tight else (1, 2, 5)),
                                           (axes.yaxis, axes.get_ylim(), (1, 2, 5))):  # fmt: skip
            ticks = [m * 10**e for e in range(10) for m in steps]
            axis.set_ticks([], minor=True)
            axis.set_ticks([tick for tick in ticks if least <= tick <= most])
        axes.xaxis.set_major_formatter(lambda x, _: f"{x / 1e6:g} MB" if x >= 1e6 else f"{x / 1e3:g} KB")
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}")
        axes.set_xlabel("bytes in flight", color=FAINT, fontsize=9)
        axes.text(0, 1.03, "GB/s", transform=axes.transAxes, ha="right", color=FAINT, fontsize=9)
        axes.grid()
        curve = [(x, min(x / latency, ceiling)) for x in (low * (high / low) ** (k / 150) for k in range(151))]
        axes.plot([low, enough, high], [low / latency, ceiling, ceiling], color=INK, linewidth=1.4)
        axes.annotate(f"read ceiling, from {enough / 1e6:.1f} MB on", (enough, ceiling), (0, 6),
                      ha="center" if tight else "right", textcoords="offset points", fontsize=9)  # fmt: skip
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            key_entry(axes, k, layout, colour, marker)
        labelled = []
        for row in kernels:
            colour, marker = LAYOUTS[row["layout"]]
            x, y = row["bytes_in_flight"], row["gb_per_s"]
            axes.plot(x, y, marker, color=colour, markersize=6)
            labelled.append((x, y, f"{row['chapter'][:2]} {row['kernel']}", colour))
        label_points(axes, labelled, curve)

    return Figure(
        f"sgemv-little-{gpu}",
        f"Little's law: bytes in flight against speed, {device}",
        f"A line rises with the bytes in flight up to {ceiling:,.0f} GB/s at {enough / 1e6:.1f} MB, and is level "
        f"from there. {len(kernels)} kernels are points: what each has in flight, and how fast it reads.",
        {"device": device, "ceiling": ceiling, "latency": latency, "kernels": kernels},
        5.4,
        6.4,
        draw,
    )


def unrolling(gpu, report):
    """Chapter 03's loop, unrolled by some factors: what tools/measure/variants.sh measured, not ./course measure."""
    folder = results_files.RESULTS / gpu
    files = {int(path.stem.rpartition("_")[2]): path for path in (folder / "variants").glob("constant_unroll_*.json")}
    if not files:
        return None
    written = {n: results_files.load(f"{gpu}/variants/{file.stem}") for n, file in sorted(files.items())}
    written["none"] = results_files.load(f"{gpu}/03_constant")
    times = {n: pick(file["results"][0], "p10_ms", "median_ms", "p90_ms") for n, file in written.items()}
    plain = times.pop("none")
    device, shape = report["device"]["name"], results_files.size(written["none"])
    best = min(times, key=lambda n: times[n]["median_ms"])

    def draw(page):
        below = heading(page, "Chapter 03's loop, unrolled by a pragma",
                        f"{device}, {shape}; milliseconds, less is better")  # fmt: skip
        tight = is_narrow(page)
        axes = list_axes(page, len(files), left=1.6 if tight else 2.15, right=0.66 if tight else 0.8, top=below + 0.45)
        axes.set_xlim(0, 1.04 * max(row["p90_ms"] for row in times.values()))
        for line, (factor, row) in enumerate(times.items()):
            whiskered_bar(axes, line, *row.values(), BLUE)
            beside(axes, -0.06, line, f"#pragma unroll {factor}", fontsize=9 if tight else 10)
            beside(axes, 0.58 if tight else 0.68, line, f"{row['median_ms']:.3f}", ha="right")
        axes.axvline(x := plain["median_ms"], color=ORANGE, linewidth=1.6, dashes=(3, 2))
        axes.text(x, -0.9, f"no pragma: {x:.3f}", color=ORANGE, fontsize=9, ha="center", va="center_baseline")

    return Figure(
        f"constant-unroll-{gpu}",
        f"The constant-memory kernel, its loop unrolled by some factors, {device}",
        f"A bar for each factor; the shortest is {times[best]['median_ms']:.3f} milliseconds at {best}. A dashed "
        f"line: {plain['median_ms']:.3f} without a pragma.",
        {"device": device, "shape": shape, "plain": plain, "factors": list(times.items())},
        1.45 + 0.25 * len(files),
        1.7 + 0.25 * len(files),
        draw,
    )


PLOTS = [ladder, shapes, little, unrolling]
