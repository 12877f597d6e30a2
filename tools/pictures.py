#!/usr/bin/env python3
"""Draws the pictures of the pages, docs/pictures/*.svg: what is drawn from no measurement.

    tools/pictures.py                draws all pictures
    tools/pictures.py --out FOLDER   draws them there
    tools/pictures.py --check        draws nothing: the exit status is 1 if a picture is missing, is not
                                     what this program draws, or is nobody's

A picture is one function, named in PICTURES at the end. It needs nothing but Python. Figures of
results are tools/plots.py's, in docs/figures.
"""

import pathlib
import sys
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "pictures"
FONTS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"

# Colours that colour-blind readers tell apart (Okabe and Ito's): on a white page, and on a dark one.
COLOURS = {
    "ink": ("#1f2328", "#e6edf3"),
    "faint": ("#59636e", "#9198a1"),
    "line": ("#d1d9e0", "#3d444d"),
    "a": ("#0072b2", "#56b4e9"),
    "b": ("#d55e00", "#e69f00"),
    "c": ("#00805d", "#2fc79b"),
    "white": ("#ffffff", "#0d1117"),  # on a filled cell
}


def style():
    def rules(which):
        text = ""
        for name, colours in COLOURS.items():
            text += f".{name}{{fill:{colours[which]}}}.{name}-line{{stroke:{colours[which]}}}\n"
        return text

    return (
        f"text{{font-family:{FONTS};font-size:13px}}.small{{font-size:11.5px}}.bold{{font-weight:600}}\n"
        f".none{{fill:none}}.pale{{fill-opacity:.22}}\n{rules(0)}@media (prefers-color-scheme:dark){{\n{rules(1)}}}\n"
    )


class Picture:
    """A drawing that grows: shapes by their corner, width and height; colours by their names."""

    def __init__(self, width, height, title, description):
        self.size, self.title, self.description, self.parts = (width, height), title, description, []

    def add(self, part):
        self.parts.append(part)

    def rect(self, x, y, width, height, colour, pale=False):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                 f'class="{colour}{" pale" if pale else ""}"/>')  # fmt: skip

    def frame(self, x, y, width, height, colour="ink", thick=1.5):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                 f'class="none {colour}-line" stroke-width="{thick:g}"/>')  # fmt: skip

    def line(self, x1, y1, x2, y2, colour="line", thick=1.0, arrow=False):
        self.add(f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" class="none {colour}-line" stroke-width="{thick:g}"/>')
        if arrow:
            length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
            u, v = (x2 - x1) / length, (y2 - y1) / length
            points = [(x2 + 3 * u, y2 + 3 * v)]
            points += [(x2 - 6 * u - s * 4 * v, y2 - 6 * v + s * 4 * u) for s in (1, -1)]
            self.add(f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}Z" class="{colour}"/>')

    def text(self, x, y, text, colour="ink", anchor="middle", weight="", small=False):
        kind = " ".join(filter(None, [colour, weight, "small" if small else ""]))
        self.add(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>')

    def grid(self, x, y, cols, rows, cell, every=1):
        """A matrix: cells, and its frame."""
        for k in range(0, cols + 1, every):
            self.line(x + k * cell, y, x + k * cell, y + rows * cell)
        for k in range(0, rows + 1, every):
            self.line(x, y + k * cell, x + cols * cell, y + k * cell)
        self.frame(x, y, cols * cell, rows * cell, "faint", 1.2)

    def axes(self, x, y, length=34):
        """The course's one convention: x counts columns, y rows."""
        self.line(x, y, x + length, y, "faint", 1.4, arrow=True)
        self.line(x, y, x, y + length, "faint", 1.4, arrow=True)
        self.text(x + length + 9, y + 4, "x: columns", "faint", "start", small=True)
        self.text(x - 4, y + length + 18, "y: rows", "faint", "start", small=True)

    def svg(self):
        width, height = self.size
        return (
            f'<svg role="img" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n<title>{escape(self.title)}</title>\n'
            f"<desc>{escape(self.description)}</desc>\n<style>{style()}</style>\n" + "\n".join(self.parts) + "\n</svg>\n"
        )


def product(picture, left, top, cell, m, n, k, gap=34):
    """The three matrices of C = A B, so that rows of A and columns of B meet in C. Returns their corners."""
    c_x, c_y = left + k * cell + gap, top + k * cell + gap
    corners = {"a": (left, c_y), "b": (c_x, top), "c": (c_x, c_y)}
    for name, (cols, rows) in {"a": (k, m), "b": (n, k), "c": (n, m)}.items():
        picture.grid(*corners[name], cols, rows, cell)
    picture.text(left + k * cell / 2, c_y + m * cell + 20, "A, m × k", "a", weight="bold")
    picture.text(c_x + n * cell + 12, top + k * cell / 2 + 4, "B, k × n", "b", "start", "bold")
    picture.text(c_x + n * cell / 2, c_y + m * cell + 20, "C, m × n", "c", weight="bold")
    return corners["a"], corners["b"], corners["c"]


def naive():
    m, n, k, cell, row, col = 8, 10, 8, 20, 4, 6
    picture = Picture(
        720, 440, "One element of C: a row of A and a column of B",
        "The matrices of C = A B, B above C and A to the left of it. One element of C is marked, and the whole row "
        "of A and the whole column of B that its thread reads, element by element along k.",
    )  # fmt: skip
    (a_x, a_y), (b_x, b_y), (c_x, c_y) = product(picture, 40, 24, cell, m, n, k)
    picture.rect(a_x, a_y + row * cell, k * cell, cell, "a")
    picture.rect(b_x + col * cell, b_y, cell, k * cell, "b")
    picture.rect(c_x + col * cell, c_y + row * cell, cell, cell, "c")
    picture.line(a_x + 8, a_y + row * cell - 8, a_x + k * cell - 8, a_y + row * cell - 8, "a", 1.8, arrow=True)
    picture.line(b_x + col * cell - 8, b_y + 8, b_x + col * cell - 8, b_y + k * cell - 8, "b", 1.8, arrow=True)
    picture.text(a_x + 26, a_y + row * cell - 16, "p", "a", weight="bold")
    picture.text(b_x + col * cell - 20, b_y + 30, "p", "b", weight="bold")
    picture.axes(44, 40)
    x = c_x + n * cell + 12
    picture.text(x, c_y + row * cell + 4, "C(row, col) is the sum over p", "c", "start")
    picture.text(x, c_y + row * cell + 22, "of A(row, p) B(p, col):", "c", "start")
    picture.text(x, c_y + row * cell + 40, "one thread, 2 k reads", "c", "start")
    return picture


def tiles():
    tile, cell = 4, 14
    m, n, k = 3 * tile, 4 * tile, 4 * tile
    side, now = tile * cell, 1  # which step of the walk is drawn
    picture = Picture(
        820, 500, "A tile of C: tiles of A and of B, step by step along k",
        "The matrices of C = A B in tiles. A block of threads computes one tile of C. Step by step it takes the next "
        "tile of A, to the right, and the next of B, downwards; those of the second step are marked.",
    )  # fmt: skip
    (a_x, a_y), (b_x, b_y), (c_x, c_y) = product(picture, 40, 24, cell, m, n, k)
    row, col = 1, 2  # the block's tile of C
    for step in range(k // tile):
        picture.rect(a_x + step * side, a_y + row * side, side, side, "a", pale=step != now)
        picture.rect(b_x + col * side, b_y + step * side, side, side, "b", pale=step != now)
    picture.rect(c_x + col * side, c_y + row * side, side, side, "c")
    for (x, y), cols, rows in (((a_x, a_y), k, m), ((b_x, b_y), n, k), ((c_x, c_y), n, m)):
        for j in range(0, cols + 1, tile):
            picture.line(x + j * cell, y, x + j * cell, y + rows * cell, "faint", 1.1)
        for i in range(0, rows + 1, tile):
            picture.line(x, y + i * cell, x + cols * cell, y + i * cell, "faint", 1.1)
    picture.line(a_x + 10, a_y + row * side - 9, a_x + k * cell - 10, a_y + row * side - 9, "a", 1.8, arrow=True)
    picture.line(b_x + col * side - 9, b_y + 10, b_x + col * side - 9, b_y + k * cell - 10, "b", 1.8, arrow=True)
    picture.axes(44, 40)
    x, y = c_x + n * cell + 14, c_y + 10
    picture.text(x, y, "A block of threads owns a tile of C.", "c", "start", "bold")
    picture.text(x, y + 24, "At each step it fetches one", "ink", "start")
    picture.text(x, y + 42, "tile of A and one of B into", "ink", "start")
    picture.text(x, y + 60, "shared memory, waits, uses", "ink", "start")
    picture.text(x, y + 78, "each element as often as the", "ink", "start")
    picture.text(x, y + 96, "tile is wide, waits, goes on.", "ink", "start")
    return picture


def mappings():
    cell, rows, cols, lanes, p = 14, 8, 24, 8, 3
    picture = Picture(
        860, 590, "What a warp reads at one step, in either mapping of threads",
        "Above, x counts rows: eight lanes read eight elements of A, each in another row and another sector, and one "
        "element of B. Below, x counts columns: all lanes read the same element of A, and neighbours in a row of B, "
        "which lie in one sector.",
    )  # fmt: skip

    def matrix(x, y, name, label):
        picture.grid(x, y, cols, rows, cell)
        for j in range(0, cols, 8):  # 8 floats are a sector
            picture.line(x + j * cell, y, x + j * cell, y + rows * cell, "faint", 1.4)
        picture.text(x, y - 10, label, name, "start", "bold")

    def sectors(x, y, name, row, first):
        picture.rect(x + first * cell, y + row * cell, 8 * cell, cell, name, pale=True)
        picture.frame(x + first * cell + 1, y + row * cell + 1, 8 * cell - 2, cell - 2, name, 1.6)

    def lane(x, y, name, row, col, text):
        picture.rect(x + col * cell, y + row * cell, cell, cell, name)
        picture.text(x + col * cell + cell / 2, y + row * cell - 0.5 + cell * 0.82, text, "white", small=True)

    left, right = 40, 470
    top = 76
    picture.text(left, 26, "Swapped: x counts rows. Neighbouring threads, neighbouring rows.", "ink", "start", "bold")
    matrix(left, top, "a", "A, at step p: each lane another row")
    matrix(right, top, "b", "B, at step p: one element for all")
    for row in range(lanes):
        sectors(left, top, "a", row, 0)
    for row in range(lanes):
        lane(left, top, "a", row, p, str(row))
    sectors(right, top, "b", p, 8)
    lane(right, top, "b", p, 13, "")
    below = top + rows * cell
    picture.text(left, below + 20, "32 lanes, 32 sectors: 4 bytes used of each 32", "a", "start")
    picture.text(right, below + 20, "1 sector", "b", "start")

    top = 350
    picture.text(left, top - 50, "Naive: x counts columns. Neighbouring threads, neighbouring columns.", "ink", "start",
                 "bold")  # fmt: skip
    matrix(left, top, "a", "A, at step p: one element for all")
    matrix(right, top, "b", "B, at step p: neighbours in a row")
    sectors(left, top, "a", 3, 0)
    lane(left, top, "a", 3, p, "")
    sectors(right, top, "b", p, 0)
    for k in range(lanes):
        lane(right, top, "b", p, k, str(k))
    below = top + rows * cell
    picture.text(left, below + 20, "1 sector", "a", "start")
    picture.text(right, below + 20, "32 lanes, 4 sectors: every byte used", "b", "start")
    picture.text(left, below + 62, "Eight of the 32 lanes are drawn, numbered. A framed stretch is a sector: "
                 "8 floats, 32 bytes, what memory delivers at least.", "faint", "start", small=True)  # fmt: skip
    return picture


PICTURES = {"gemm-naive": naive, "gemm-tiles": tiles, "gemm-mappings": mappings}


def drawn():
    return {f"{name}.svg": make().svg() for name, make in PICTURES.items()}


def check(folder):
    wrong = []
    pictures = drawn()
    for name, text in pictures.items():
        path = folder / name
        if not path.is_file():
            wrong.append(f"{name}: missing")
        elif path.read_text(encoding="utf-8") != text:
            wrong.append(f"{name}: stale")
    if folder.is_dir():
        wrong += [f"{path.name}: nobody's" for path in sorted(folder.iterdir()) if path.name not in pictures]
    print(*wrong, f"{len(pictures)} pictures checked, {len(wrong)} wrong", sep="\n")
    return not wrong


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in drawn().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{name}: drawn")


def main():
    match sys.argv[1:]:
        case [] | ["--out", _]:
            draw(pathlib.Path(sys.argv[2]) if sys.argv[1:] else FOLDER)
        case ["--check"]:
            sys.exit(0 if check(FOLDER) else 1)
        case _:
            sys.exit("usage: pictures.py [--check | --out FOLDER]")


if __name__ == "__main__":
    main()
