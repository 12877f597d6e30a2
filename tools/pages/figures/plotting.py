"""What the plots of results put together: colours, axes, bars with whiskers, names beside points."""

import textwrap
from typing import Callable, NamedTuple

import results_files

WIDTH = 800 / 96  # inches
NARROW = 360 / 96  # on a phone, where type keeps its size

# Colours that colour-blind readers tell apart (Okabe and Ito's, the orange darker, as text is set in it), on a
# white page and on a dark one. The drawing has the light ones; a style sheet in the SVG turns each into the
# dark one. So a program that knows no style sheets still shows something right.
INK, FAINT, GRID, BLUE, ORANGE = "#1f2328", "#59636e", "#d1d9e0", "#0072b2", "#bd5300"
PAPER = "#ffffff"  # text on a bar
DARK = {INK: "#e6edf3", FAINT: "#9198a1", GRID: "#3d444d", BLUE: "#56b4e9", ORANGE: "#e69f00", PAPER: "#0d1117"}
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
    narrow_height: float  # of the same figure drawn for phones
    draw: Callable  # of an empty figure of matplotlib's
    width: float = WIDTH


def for_phones(figure):
    return figure._replace(name=f"{figure.name}-narrow", height=figure.narrow_height, width=NARROW)


def is_narrow(page):
    return page.get_figwidth() < WIDTH / 2


def pick(row, *keys):
    return {key: row[key] for key in keys}


def cold(report, rows, cols):
    shape = {"rows": rows, "cols": cols, "cache": "cold", "bound": "read"}
    return [row for row in report["kernels"] if results_files.holds(row, shape)]


def is_ours(row):
    return row["kernel"].startswith("ours ")


def heading(page, text, below):
    """What the figure shows, and how to read it. Returns the inches that this takes: lines break on a narrow page."""
    left, inch = 0.12 / WIDTH, 1 / page.get_figheight()
    if not is_narrow(page):
        page.text(left, 1 - 0.27 * inch, text, fontsize=11.5, weight="bold")
        page.text(left, 1 - 0.48 * inch, below, fontsize=9, color=FAINT)
        return 0.5
    down = 0.08
    for line in textwrap.wrap(text, 38):
        page.text(left, 1 - (down := down + 0.19) * inch, line, fontsize=10.5, weight="bold")
    for line in textwrap.wrap(below, 52):
        page.text(left, 1 - (down := down + 0.175) * inch, line, fontsize=9, color=FAINT)
    return down


def axes_in(page, left, right, top=0.75, bottom=0.5, spines=()):
    """Axes with these margins, in inches, and a quiet grid behind everything."""
    wide, high = page.get_figwidth(), page.get_figheight()
    axes = page.add_axes([left / wide, bottom / high, 1 - (left + right) / wide, 1 - (top + bottom) / high])
    axes.spines[[side for side in axes.spines if side not in spines]].set_visible(False)
    return axes


def list_axes(page, lines, left, right, **margins):
    """Axes that are a list of lines, the first on top, with names on the left and figures on the right."""
    return as_list(axes_in(page, left, right, **margins), lines)


def as_list(axes, lines):
    axes.set_ylim(lines - 0.5, -0.5)
    axes.set_yticks([])
    axes.grid(axis="x")
    return axes


def beside(axes, inches, line, text, **how):
    """Text level with a line, left of the axes, or right of them where `inches` is positive."""
    width = axes.figure.get_figwidth() * axes.get_position().width
    x = 1 + inches / width if inches > 0 else inches / width
    how = {"va": "center_baseline", "ha": "center" if inches > 0 else "right", **how}
    axes.text(x, line, text, transform=axes.get_yaxis_transform(), **how)


def whiskered_bar(axes, line, low, value, high, colour):
    axes.barh(line, value, height=0.62, color=colour)
    axes.errorbar(value, line, xerr=[[value - low], [high - value]], color=INK, linewidth=1)


def key_entry(axes, k, word, colour, marker=""):
    """The k-th entry of a key above the axes: a marker, if there is one, and what it stands for."""
    narrow, inch = is_narrow(axes.figure), 1 / axes.figure.get_figwidth() / axes.get_position().width
    x = (0.22 + (0.98 if narrow else 1.1) * k) * inch
    if marker:
        axes.plot(x, 1.05, marker, color=colour, transform=axes.transAxes, clip_on=False)
    axes.text(x + 0.11 * inch, 1.03, word, color=colour, transform=axes.transAxes, fontsize=9 if narrow else 10)


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
    tight = is_narrow(axes.figure)
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
        aside = (12 if tight else 34) if right else (-13 if tight else -26)
        axes.annotate(label, (x, y), (aside, place - point), textcoords="offset points", color=colour, fontsize=9,
                      ha="left" if right else "right", va="center", arrowprops=line)  # fmt: skip
