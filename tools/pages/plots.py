"""Draws the figures of the pages, docs/figures/*.svg, from the files of results.

    python3 tools/pages plots                draws all figures (needs matplotlib; Debian: python3-matplotlib)
    python3 tools/pages plots --out FOLDER   draws them there
    python3 tools/pages plots --check        draws nothing and needs nothing: the exit status is 1 if a figure is
                                             missing, older than its results or than VERSION, or nobody's

A figure is one function, named in FIGURES at the end. It gets a GPU's name and what ./course measure
wrote on it, and returns a Figure, or None where the file has nothing to draw. Whatever it draws comes
from the figure's `rows`: their SHA-256 stands in the SVG, and so --check knows without drawing.
"""

import hashlib
import io
import json
import math
import pathlib
import re
import sys
from typing import Callable, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import tables
from places import ROOT

FOLDER = ROOT / "docs" / "figures"
VERSION = 2  # count up when a figure would look otherwise from the same rows
WIDTH = 800 / 96  # inches

# Colours that colour-blind readers tell apart (Okabe and Ito's, the orange darker, as text is set in it), on a
# white page and on a dark one. The drawing has the light ones; a style sheet in the SVG turns each into the
# dark one. So a program that knows no style sheets still shows something right.
INK, FAINT, GRID, BLUE, ORANGE = "#1f2328", "#59636e", "#d1d9e0", "#0072b2", "#bd5300"
DARK = {INK: "#e6edf3", FAINT: "#9198a1", GRID: "#3d444d", BLUE: "#56b4e9", ORANGE: "#e69f00"}
LAYOUTS = {"row-major": (BLUE, "o"), "column-major": (ORANGE, "D")}
# What the reader sees. The drawing is measured in the font that comes with matplotlib, the same everywhere.
FONTS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
SETTINGS = {"svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10, "xtick.labelsize": 9,
            "ytick.labelsize": 9, "xtick.color": FAINT, "ytick.color": FAINT, "axes.edgecolor": FAINT,
            "axes.axisbelow": True, "xtick.major.size": 0, "ytick.major.size": 0, "text.color": INK,
            "grid.color": GRID, "grid.linewidth": 0.8, "errorbar.capsize": 2.5}  # fmt: skip


class Figure(NamedTuple):
    name: str  # the file's, without .svg
    title: str  # for those who hear the page, as is
    description: str  # this one
    rows: dict  # everything that is drawn
    height: float  # inches
    draw: Callable  # of an empty figure of matplotlib's


def pick(row, *keys):
    return {key: row[key] for key in keys}


def cold(report, rows, cols):
    shape = {"rows": rows, "cols": cols, "cache": "cold", "bound": "read"}
    return [row for row in report["kernels"] if tables.holds(row, shape)]


def is_ours(row):
    return row["kernel"].startswith("ours ")


def heading(page, text, below):
    left, inch = 0.12 / WIDTH, 1 / page.get_figheight()
    page.text(left, 1 - 0.27 * inch, text, fontsize=11.5, weight="bold")
    page.text(left, 1 - 0.48 * inch, below, fontsize=9, color=FAINT)


def axes_in(page, left, right, top=0.75, bottom=0.5, spines=()):
    """Axes with these margins, in inches, and a quiet grid behind everything."""
    wide, high = WIDTH, page.get_figheight()
    axes = page.add_axes([left / wide, bottom / high, 1 - (left + right) / wide, 1 - (top + bottom) / high])
    axes.spines[[side for side in axes.spines if side not in spines]].set_visible(False)
    return axes


def list_axes(page, lines, left, right, **margins):
    """Axes that are a list of lines, the first on top, with names on the left and figures on the right."""
    axes = axes_in(page, left, right, **margins)
    axes.set_ylim(lines - 0.5, -0.5)
    axes.set_yticks([])
    axes.grid(axis="x")
    return axes


def beside(axes, inches, line, text, **how):
    """Text level with a line, left of the axes, or right of them where `inches` is positive."""
    width = WIDTH * axes.get_position().width
    x = 1 + inches / width if inches > 0 else inches / width
    how = {"va": "center_baseline", "ha": "center" if inches > 0 else "right", **how}
    axes.text(x, line, text, transform=axes.get_yaxis_transform(), **how)


def whiskered_bar(axes, line, low, value, high, colour):
    axes.barh(line, value, height=0.62, color=colour)
    axes.errorbar(value, line, xerr=[[value - low], [high - value]], color=INK, linewidth=1)


def label_points(axes, labelled, curve):
    """Writes (x, y, label, colour) beside each point, or further off with a line to it: over nothing else."""
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    pen, area = axes.figure.canvas.get_renderer(), axes.bbox
    spots = axes.transData.transform([(x, y) for x, y, *_ in labelled] + curve)
    taken = [Bbox.from_extents(x - 4, y - 4, x + 4, y + 4) for x, y in spots]
    taken += [text.get_window_extent(pen) for text in axes.texts]
    sides = [(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, 1), (1, 1), (-1, -1)]
    line = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 4}
    for x, y, label, colour in labelled:
        for far, (right, up) in [(7 + 9 * k, side) for k in range(8) for side in sides]:
            text = axes.annotate(
                label, (x, y), (far * right, far * up), textcoords="offset points", color=colour, fontsize=9,
                ha=("center", "left", "right")[right], va=("center", "bottom", "top")[up],
                arrowprops=line if far > 7 else None,
            )  # fmt: skip
            text.update_positions(pen)
            box = Text.get_window_extent(text, pen)  # an annotation's own has its line in it
            inside = area.x0 < box.x0 and box.x1 < area.x1 and area.y0 < box.y0
            if inside and not any(box.overlaps(other) for other in taken):
                break
            text.remove()
        taken.append(box)


def label_stack(axes, x, labelled, right):
    """Writes (y, label, colour) for points above each other at x: a list beside them, with a line to each point."""
    pitch, bottom = 12.5, axes.bbox.y0 / axes.figure.dpi * 72 + 8
    labelled = sorted(labelled, key=lambda each: -each[0])
    points = [axes.transData.transform((x, y))[1] / axes.figure.dpi * 72 for y, *_ in labelled]
    places = list(points)
    for _ in range(300):  # push apart what is too near, a little at a time; the first not upwards, none off the axes
        for k in range(len(places) - 1):
            near = pitch - (places[k] - places[k + 1])
            if near > 0:
                places[k], places[k + 1] = places[k] + near / 2, places[k + 1] - near / 2
        places[0], places[-1] = min(places[0], points[0]), max(places[-1], bottom)
    line = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.6, "shrinkA": 2, "shrinkB": 4,
            "relpos": (0 if right else 1, 0.5)}  # fmt: skip
    for (y, label, colour), point, place in zip(labelled, points, places):
        axes.annotate(label, (x, y), (34 if right else -26, place - point), textcoords="offset points", color=colour,
                      fontsize=9, ha="left" if right else "right", va="center", arrowprops=line)  # fmt: skip


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
        heading(page, "SGEMV, 16384 × 16384: how fast each rung reads the matrix",
                f"{device}, per cent of the read ceiling, {ceiling:,.0f} GB/s; whiskers: 8 runs in 10")  # fmt: skip
        axes = list_axes(page, lines, left=2.15, right=0.8)
        axes.set_xlim(0, 104)
        axes.set_xticks(range(0, 101, 20), [f"{x} %" for x in range(0, 101, 20)])
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
                beside(axes, -0.06, line, f"{row['chapter'][:2]}  {name}", weight=weight)
                beside(axes, 0.68, line, f"{row['percent_of_ceiling']:.1f} %", ha="right", weight=weight)
            line += 2

    best = max(rungs, key=lambda row: row["percent_of_ceiling"])
    return Figure(
        f"sgemv-ladder-{gpu}",
        f"The SGEMV ladder, 16384 × 16384, {device}",
        "A bar for each kernel, in per cent of the read ceiling; in either layout a dashed line for cuBLAS. "
        f"The longest bar is {best['kernel']}, {best['percent_of_ceiling']:.1f} per cent.",
        {"device": device, "ceiling": ceiling, "kernels": kernels},
        1.25 + 0.235 * lines,
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
        name = f"{m}²" if m == n else f"{m} × {n}"
        return m != n, m, n, row["cache"] == "cold", name + (", hot" if row["cache"] == "hot" else "")

    places = sorted({place(row) for row in kernels})

    def draw(page):
        heading(page, "SGEMV: ours against cuBLAS, shape by shape",
                f"{device}; 2 is twice as fast as the library; hollow: hot, in the level-2 cache")  # fmt: skip
        axes = list_axes(page, len(places), left=1.6, right=2.3, top=0.95)
        low, high = min(0.9, *ratios) / 1.03, max(1.1, *ratios) * 1.03
        near, far = (0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 2), (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
        ticks = [x for x in (far if high / low > 3 else near) if low <= x <= high]
        axes.set(xscale="log", xlim=(low, high))
        axes.set_xticks([], minor=True)
        axes.set_xticks(ticks, [f"{x:g} ×" for x in ticks])
        axes.axvline(1, color=INK, linewidth=1.2)
        for line, (*_, name) in enumerate(places):
            beside(axes, -0.08, line, name)
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            beside(axes, 0.65 + 1.1 * k, -1, layout, weight="bold", color=colour, fontsize=9)
            for row in kernels:
                if row["layout"] == layout:
                    line, ratio = places.index(place(row)), row["ratio_to_cublas"]
                    axes.plot(ratio, line - 0.12 + 0.24 * k, marker, color=colour, markersize=6.5,
                              markeredgewidth=1.6, fillstyle="none" if row["cache"] == "hot" else "full")  # fmt: skip
                    beside(axes, 0.65 + 1.1 * k, line, f"{ratio:.3f}", fontsize=9)

    least = kernels[ratios.index(min(ratios))]
    return Figure(
        f"sgemv-shapes-{gpu}",
        f"SGEMV: ours against cuBLAS, {device}",
        "Points for each shape and layout: cuBLAS's time over ours; right of the line at 1 ours is faster. "
        f"The least is {min(ratios):.3f}, at {place(least)[-1]}, {least['layout']}.",
        {"device": device, "kernels": kernels},
        1.45 + 0.25 * len(places),
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
        heading(page, "Little's law: bytes on their way, and the speed that they allow",
                f"{device}, 16384 × 16384; latency {latency:.0f} ns, read ceiling {ceiling:,.0f} GB/s")  # fmt: skip
        axes = axes_in(page, left=0.7, right=0.3, top=1.0, bottom=0.7, spines=("left", "bottom"))
        slowest = min(low / latency, *(row["gb_per_s"] for row in kernels))
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(slowest / 1.5, ceiling * 1.8))
        ticks = [m * 10**e for e in range(10) for m in (1, 2, 5)]
        for axis, (least, most) in ((axes.xaxis, (low, high)), (axes.yaxis, axes.get_ylim())):
            axis.set_ticks([], minor=True)
            axis.set_ticks([tick for tick in ticks if least <= tick <= most])
        axes.xaxis.set_major_formatter(lambda x, _: f"{x / 1e6:g} MB" if x >= 1e6 else f"{x / 1e3:g} KB")
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}")
        axes.set_xlabel("bytes on their way", color=FAINT, fontsize=9)
        axes.text(0, 1.03, "GB/s", transform=axes.transAxes, ha="right", color=FAINT, fontsize=9)
        axes.grid()
        curve = [(x, min(x / latency, ceiling)) for x in (low * (high / low) ** (k / 150) for k in range(151))]
        axes.plot([low, enough, high], [low / latency, ceiling, ceiling], color=INK, linewidth=1.4)
        axes.annotate(f"read ceiling, from {enough / 1e6:.1f} MB on", (enough, ceiling), (0, 6), ha="right",
                      textcoords="offset points", fontsize=9)  # fmt: skip
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            axes.plot(0.03 + 0.15 * k, 1.05, marker, color=colour, transform=axes.transAxes, clip_on=False)
            axes.text(0.045 + 0.15 * k, 1.03, layout, color=colour, transform=axes.transAxes)
        labelled = []
        for row in kernels:
            colour, marker = LAYOUTS[row["layout"]]
            x, y = row["bytes_in_flight"], row["gb_per_s"]
            axes.plot(x, y, marker, color=colour, markersize=6)
            labelled.append((x, y, f"{row['chapter'][:2]} {row['kernel']}", colour))
        label_points(axes, labelled, curve)

    return Figure(
        f"sgemv-little-{gpu}",
        f"Little's law: bytes on their way against speed, {device}",
        f"A line rises with the bytes on their way up to {ceiling:,.0f} GB/s at {enough / 1e6:.1f} MB, and is level "
        f"from there. {len(kernels)} kernels are points: what each has on its way, and how fast it reads.",
        {"device": device, "ceiling": ceiling, "latency": latency, "kernels": kernels},
        5.4,
        draw,
    )


def unrolling(gpu, report):
    """Chapter 03's loop, unrolled by some factors: what tools/measure/variants.sh measured, not ./course measure."""
    folder = tables.RESULTS / gpu
    files = {int(path.stem.rpartition("_")[2]): path for path in folder.glob("constant_unroll_*.json")}
    if not files:
        return None
    written = {n: tables.load(f"{gpu}/{file.stem}") for n, file in sorted(files.items())}
    written["none"] = tables.load(f"{gpu}/03_constant")
    times = {n: pick(file["results"][0], "p10_ms", "median_ms", "p90_ms") for n, file in written.items()}
    plain = times.pop("none")
    device, shape = report["device"]["name"], tables.size(written["none"])
    best = min(times, key=lambda n: times[n]["median_ms"])

    def draw(page):
        heading(page, "Chapter 03's loop, unrolled by a pragma", f"{device}, {shape}; milliseconds, less is better")
        axes = list_axes(page, len(files), left=2.15, right=0.8, top=0.95)
        axes.set_xlim(0, 1.04 * max(row["p90_ms"] for row in times.values()))
        for line, (factor, row) in enumerate(times.items()):
            whiskered_bar(axes, line, *row.values(), BLUE)
            beside(axes, -0.06, line, f"#pragma unroll {factor}")
            beside(axes, 0.68, line, f"{row['median_ms']:.3f}", ha="right")
        axes.axvline(x := plain["median_ms"], color=ORANGE, linewidth=1.6, dashes=(3, 2))
        axes.text(x, -0.9, f"no pragma: {x:.3f}", color=ORANGE, fontsize=9, ha="center", va="center_baseline")

    return Figure(
        f"constant-unroll-{gpu}",
        f"The constant-memory kernel, its loop unrolled by some factors, {device}",
        f"A bar for each factor; the shortest is {times[best]['median_ms']:.3f} milliseconds at {best}. A dashed "
        f"line: {plain['median_ms']:.3f} without a pragma.",
        {"device": device, "shape": shape, "plain": plain, "factors": list(times.items())},
        1.45 + 0.25 * len(files),
        draw,
    )


def roofline(gpu, report):
    """Every kernel at the shape that its chapter speaks of: what it computes a byte, and how fast."""
    keys = ("chapter", "kernel", "layout", "bytes", "operations", "gflop_per_s")
    product = {"rows": 4096, "cols": 4096, "inner": 4096, "cache": "cold", "bound": "fma"}
    products = [pick(row, *keys) for row in report["kernels"] if tables.holds(row, product)]
    if not products:
        return None
    vectors = [pick(row, *keys) for row in cold(report, 16384, 16384)]
    saxpy = {"chapter": "00_first_kernel", "rows": 1 << 28, "cache": "cold"}
    vectors += [pick(row, *keys) for row in report["kernels"] if tables.holds(row, saxpy)]
    device = report["device"]["name"]
    read, fma = report["ceilings"]["read"]["gb_per_s"], report["ceilings"]["fma"]["gflop_per_s"]
    ridge = fma / read
    rows = vectors + products
    places = {id(row): row["operations"] / row["bytes"] for row in rows}
    low, high = min([0.25, *places.values()]) / 12, max([ridge, *places.values()]) * 4
    floor = min(row["gflop_per_s"] for row in rows) / 2

    def draw(page):
        heading(page, "Roofline: what memory and arithmetic allow, and what each kernel reaches",
                f"{device}; SAXPY 2²⁸, SGEMV 16384 × 16384, SGEMM 4096 × 4096 × 4096; operations for each byte that "
                "must move")  # fmt: skip
        axes = axes_in(page, left=0.7, right=0.3, top=1.0, bottom=0.7, spines=("left", "bottom"))
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(floor, fma * 2.5))
        for axis, (least, most) in ((axes.xaxis, (low, high)), (axes.yaxis, axes.get_ylim())):
            axis.set_ticks([], minor=True)
            axis.set_ticks([tick for e in range(-3, 9) for tick in (10.0**e,) if least <= tick <= most])
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}")
        axes.set_xlabel("operations a byte", color=FAINT, fontsize=9)
        axes.text(0, 1.03, "GFLOP/s", transform=axes.transAxes, ha="right", color=FAINT, fontsize=9)
        axes.grid()
        axes.plot([low, ridge, high], [low * read, fma, fma], color=INK, linewidth=1.4)
        axes.annotate(f"FMA ceiling {fma:,.0f} GFLOP/s", (high, fma), (-4, 5), ha="right",
                      textcoords="offset points", fontsize=9)  # fmt: skip
        middle = (1.2 * ridge) ** 0.5
        slope = page.get_figheight() / WIDTH * axes.get_position().height / axes.get_position().width
        slope *= math.log(high / low) / math.log(fma * 2.5 / floor)
        axes.annotate(f"read ceiling {read:,.0f} GB/s", (middle, middle * read), (-5, 5), ha="center",
                      textcoords="offset points", fontsize=9, rotation=math.degrees(math.atan(slope)),
                      rotation_mode="anchor")  # fmt: skip
        looks = LAYOUTS | {"vector": (FAINT, "s")}
        for row in rows:
            colour, marker = looks[row["layout"]]
            library = row["kernel"].startswith("cuBLAS")
            axes.plot(places[id(row)], row["gflop_per_s"], marker, color=colour, markersize=6,
                      fillstyle="none" if library else "full")  # fmt: skip
        for k, (layout, (colour, marker)) in enumerate(LAYOUTS.items()):
            axes.plot(0.03 + 0.15 * k, 1.05, marker, color=colour, transform=axes.transAxes, clip_on=False)
            axes.text(0.045 + 0.15 * k, 1.03, layout, color=colour, transform=axes.transAxes)
        axes.text(0.345, 1.03, "hollow: cuBLAS", color=FAINT, transform=axes.transAxes)

        # Names for the best of each chapter and layout, the worst product and the library's product.
        def kind(row):
            return row["chapter"], row["layout"], row["kernel"].startswith("cuBLAS")

        stacks = {}
        for row in rows:
            best_of_kind = max((other for other in rows if kind(other) == kind(row)), key=lambda r: r["gflop_per_s"])
            worst_product = min(products, key=lambda r: r["gflop_per_s"])
            if row in (best_of_kind, worst_product) and not (kind(row)[2] and row in vectors):
                name = row["kernel"].removesuffix(" row-major").removesuffix(" column-major")
                entry = row["gflop_per_s"], f"{row['chapter'][:2]} {name}", looks[row["layout"]][0]
                stacks.setdefault(round(places[id(row)], 2), []).append(entry)
        for place, labelled in stacks.items():
            label_stack(axes, place, labelled, right=0.3 < place < ridge)

    best = max((row for row in products if not row["kernel"].startswith("cuBLAS")), key=lambda row: row["gflop_per_s"])
    return Figure(
        f"roofline-{gpu}",
        f"Roofline of chapters 00 to 09, {device}",
        f"A line rises with the operations a byte to {fma:,.0f} GFLOP/s at {ridge:.0f}, and is level from there. "
        "Points: SAXPY at a sixth of an operation a byte, matrix-vector products at half an operation a byte, below the "
        f"rising line; matrix products at {places[id(best)]:.0f}, below the level one, our fastest at {best['gflop_per_s']:,.0f} GFLOP/s.",
        {"device": device, "read": read, "fma": fma, "kernels": rows},
        5.6,
        draw,
    )


FIGURES = [ladder, shapes, little, unrolling, roofline]


def all_figures():
    made = [function(gpu, tables.load(gpu)) for gpu in tables.gpus() for function in FIGURES]
    return {f"{figure.name}.svg": figure for figure in made if figure}


def stamp(figure):
    """What an SVG says of where it comes from."""
    text = json.dumps(figure.rows, sort_keys=True)
    return f"tools/pages plots {VERSION}, rows sha256 {hashlib.sha256(text.encode()).hexdigest()}"


def style_sheet():
    """The reader's font, and the dark page's colours in place of the light one's."""
    rules = ""
    for light, dark in DARK.items():
        for what in ("fill", "stroke"):
            rules += f'[style*="{what}: {light}"]{{{what}:{dark} !important}}\n'
    return f"text{{font-family:{FONTS} !important}}\n@media (prefers-color-scheme:dark){{\n{rules}}}\n"


def svg(figure):
    try:
        import matplotlib
    except ImportError:
        sys.exit("plots: drawing needs matplotlib (Debian, Ubuntu: python3-matplotlib); --check does not")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Page

    out = io.StringIO()
    with matplotlib.rc_context(SETTINGS | {"svg.hashsalt": figure.name}):
        page = Page(figsize=(WIDTH, figure.height))
        FigureCanvasAgg(page)  # it can say how large a text is
        figure.draw(page)
        page.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = re.sub(r" *<metadata>.*?</metadata>\n", "", out.getvalue(), flags=re.DOTALL)
    own = f"<title>{escape(figure.title)}</title>\n<desc>{escape(figure.description)}</desc>\n"
    own += f"<metadata>{stamp(figure)}</metadata>\n<style>{style_sheet()}</style>\n"
    # With this role a screen reader says the title, not every tick of the axes.
    return re.sub(r"<svg ([^>]*)>\n", lambda tag: f'<svg role="img" {tag[1]}>\n{own}', text, count=1)


def wrong_with(path, figure):
    """What is wrong with a figure's file, in a word; None if all is well."""
    if not path.is_file():
        return "missing"
    try:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    except ElementTree.ParseError:
        return "no SVG"
    said = [root.findtext("{http://www.w3.org/2000/svg}" + tag) for tag in ("title", "desc", "metadata")]
    return None if said == [figure.title, figure.description, stamp(figure)] else "stale"


def check(folder):
    figures = all_figures()
    wrong = {name: wrong_with(folder / name, figure) for name, figure in figures.items()}
    wrong |= {path.name: "nobody's" for path in folder.glob("*") if path.name not in figures}
    found = [f"{name}: {what}" for name, what in sorted(wrong.items()) if what]
    print(*found, f"{len(figures)} figures checked, {len(found)} wrong", sep="\n")
    return bool(figures) and not found


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in all_figures().items():
        (folder / name).write_text(svg(figure), encoding="utf-8")
        print(f"{name}: drawn")


def main(arguments):
    match arguments:
        case [] | ["--out", _]:
            draw(pathlib.Path(arguments[1]) if arguments else FOLDER)
            return 0
        case ["--check"]:
            return 0 if check(FOLDER) else 1
    sys.exit("plots: want nothing, --check or --out FOLDER")
