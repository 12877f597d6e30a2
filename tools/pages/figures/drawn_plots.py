"""Plots of shapes drawn at random: every ratio to the library, over how much there was to do."""

import results_files
from drawn_tables import geometric_mean, ratio
from plotting import (BLUE, FAINT, INK, LAYOUTS, Figure, axes_in, heading, is_narrow, key_entry, pick)  # fmt: skip

TICKS = (0.1, 0.2, 0.5, 0.8, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50)


def amount(row):
    """What the time of a shape goes by: bytes, or operations where arithmetic bounds it."""
    return row["operations"] if row.get("inner") else row["bytes"]


def large(x, _=None, unit="B"):
    for power, prefix in ((12, "T"), (9, "G"), (6, "M"), (3, "K")):
        if x >= 10**power:
            return f"{x / 10**power:g} {prefix}{unit}"
    return f"{x:g} {unit}"


def limits(values, room):
    return min(values) / room, max(values) * room


def scale(axes, which, least, most, ticks, tight):
    """A logarithmic axis with these ticks, every other one on a phone."""
    axis = getattr(axes, f"{which}axis")
    axes.set(**{f"{which}scale": "log", f"{which}lim": (least, most)})
    shown = [tick for tick in ticks if least <= tick <= most]
    axis.set_ticks([], minor=True)
    axis.set_ticks(shown[::2] if tight and len(shown) > 4 else shown)


def drawn(gpu, chapter):
    """All ratios of a chapter's drawn shapes: sorted on the left (below on a phone), and over size."""
    report = results_files.load(f"{gpu}/drawn/{chapter}")
    keys = ("kernel", "layout", "rows", "cols", "inner", "offset", "bound", "bytes", "operations", "ratio_to_cublas",
            "library", "ratio_to_library")  # fmt: skip
    rows = [pick(row, *(key for key in keys if key in row)) for row in report["kernels"]]
    device, ratios = report["device"]["name"], [ratio(row) for row in rows]
    library = rows[0].get("library", "cuBLAS")
    products = bool(rows[0].get("inner"))
    name = {"fma": "SGEMM", "wgmma BF16": "BF16 GEMM"}[rows[0]["bound"]] if products else "SpMV" if "library" in rows[0] else "SGEMV"
    kernels = list(dict.fromkeys((row["kernel"], row["layout"]) for row in rows))
    styles = {kernel: (BLUE, "o") if products else LAYOUTS[layout] for kernel, layout in kernels}
    counts = [sum(row["kernel"] == kernel for row in rows) for kernel, _ in kernels]

    def draw(page):
        tight = is_narrow(page)
        below = heading(page, f"{name}: ours against {library} at shapes drawn at random",
                        f"{device}; {max(counts):,} shapes; 2 is twice as fast as the library",
                        )  # fmt: skip
        wide, high = page.get_figwidth(), page.get_figheight()
        if tight:
            half = (high - below) / 2
            sorted_axes = axes_in(page, 0.55, 0.25, top=below + 0.5, bottom=half + 0.35, spines=("left", "bottom"))
            size_axes = axes_in(page, 0.55, 0.25, top=below + half + 0.3, bottom=0.6, spines=("left", "bottom"))
        else:
            sorted_axes = axes_in(page, 0.6, wide / 2 + 0.15, top=below + 0.5, bottom=0.6, spines=("left", "bottom"))
            size_axes = axes_in(page, wide / 2 + 0.4, 0.15, top=below + 0.5, bottom=0.6, spines=("left", "bottom"))
        for axes in (sorted_axes, size_axes):
            scale(axes, "y", *limits([*ratios, 0.9, 1.1], 1.1), TICKS, False)
            axes.yaxis.set_major_formatter(lambda y, _: f"{y:g} ×")
            axes.axhline(1, color=INK, linewidth=1.2)
            axes.grid()
        powers = [10**e for e in range(4, 16)]
        scale(size_axes, "x", *limits([amount(row) for row in rows], 1.3), powers, tight)
        size_axes.xaxis.set_major_formatter(lambda x, _: large(x, unit="" if products else "B"))
        size_axes.set_xlabel("operations" if products else "bytes that a launch must move", color=FAINT, fontsize=9)
        sorted_axes.set(xlim=(0, 100))
        sorted_axes.set_xticks([0, 50, 100] if tight else [0, 25, 50, 75, 100])
        sorted_axes.xaxis.set_major_formatter(lambda x, _: f"{x:g} %")
        sorted_axes.set_xlabel("of the shapes, the worst on the left", color=FAINT, fontsize=9)
        for k, (kernel, layout) in enumerate(kernels):
            colour, marker = styles[kernel]
            key_entry(sorted_axes, k, kernel if products or "library" in rows[0] else layout, colour, marker)
            own = [row for row in rows if row["kernel"] == kernel]
            ordered = sorted(map(ratio, own))
            sorted_axes.plot([100 * (i + 0.5) / len(ordered) for i in range(len(ordered))], ordered, color=colour,
                             linewidth=1.8)  # fmt: skip
            size_axes.plot([amount(row) for row in own], [ratio(row) for row in own], marker,
                           color=colour, markersize=3, linestyle="none")  # fmt: skip

    means = "; ".join(
        f"{kernel}: least {min(own):.2f}, geometric mean {geometric_mean(own):.2f}"
        for kernel, _ in kernels
        for own in [[ratio(row) for row in rows if row["kernel"] == kernel]]
    )
    return Figure(
        f"{name.lower().replace(' ', '-')}-drawn-{gpu}",
        f"{name}: ours against {library} at {max(counts):,} shapes drawn at random, {device}",
        f"Two plots of {library}'s time over ours: sorted, and over the size of the problem. {means}.",
        {"device": device, "kernels": rows},
        4.2,
        6.6,
        draw,
    )


def figures(gpu):
    """One for each chapter with drawn shapes on that GPU."""
    files = sorted((results_files.RESULTS / gpu / "drawn").glob("*.json"))
    return [drawn(gpu, file.stem) for file in files]
