"""Pictures of where a warp reads: shapes of blocks, a walk along rows, matrices row by row and column by column."""

from svg import Picture

WARP, SECTOR = 32, 8  # lanes; floats in a sector of 32 bytes


def sector(picture, x, y, width, height, colour="a"):
    """A sector that moves; what a lane asks for is drawn upon it."""
    picture.rect(x, y, width, height, colour, pale=True)
    picture.frame(x + 0.8, y + 0.8, width - 1.6, height - 1.6, colour, 1.4)


def lane(picture, x, y, width, height, number="", inset=0.5):
    picture.rect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, "a")
    if number != "":
        picture.text(x + width / 2, y + height / 2 + 4.5, str(number), "white", small=True, weight="bold")


def block_shapes():
    side, first = 9, 4  # a float's cell; where the block begins, in rows and columns
    picture = Picture(
        720, 452, "The first warp of a block in three shapes, and the sectors it touches",
        "Three matrices with the first warp of a block of 256 threads. In a block of 32 by 8 it is 32 neighbours in a "
        "row: 4 sectors. In a block of 8 by 32 it is four rows of 8: 4 sectors. In a block of 1 by 256 it is a column "
        "of 32: 32 sectors, one for each lane.",
    )  # fmt: skip

    def panel(left, top, cols, rows, wide, high, words):
        """A matrix from its corner on; in it a block, `wide` x `high` threads, as far as it is drawn."""
        name, touched, used = words
        picture.text(left, top - 31, f"Block {name}", "ink", "start", "bold")
        picture.text(left, top - 12, touched, "a", "start", "bold")
        picture.text(left + cols * side, top - 31, used, "faint", "end", small=True)
        x, y = left + 8 * side, top + first * side
        lanes = [(k % wide, k // wide) for k in range(WARP)]
        picture.grid(left, top, cols, rows, side)
        for k in range(0, cols + 1, SECTOR):
            picture.line(left + k * side, top, left + k * side, top + rows * side, "faint", 1)
        for col, row in sorted({(col // SECTOR, row) for col, row in lanes}):
            picture.rect(x + col * SECTOR * side, y + row * side, SECTOR * side, side, "white")
            sector(picture, x + col * SECTOR * side, y + row * side, SECTOR * side, side, "b")
        for col, row in lanes:
            lane(picture, x + col * side, y + row * side, side, side, inset=1.7)
        drawn = min(high, rows - first)
        x2, y2 = x + wide * side, y + drawn * side
        picture.add(f'<path d="M{x:g} {y2:g}V{y:g}H{x2:g}V{y2:g}{"Z" if drawn == high else ""}" '
                    f'class="none ink-line" stroke-width="2.2"/>')  # fmt: skip

    panel(24, 66, 43, 14, 32, 8, ("32 × 8", "a row of 32 threads: 4 sectors", "128 of 128 bytes used"))
    panel(24, 264, 43, 16, 8, 32, ("8 × 32", "four rows of 8: 4 sectors", "128 of 128 bytes used"))
    panel(447, 66, 28, 38, 1, 256, ("1 × 256", "a column: 32 sectors", "128 of 1,024 bytes used"))
    y = 434
    lane(picture, 24, y - 9, 10, 10)
    picture.text(40, y, "a lane of the first warp", "faint", "start", small=True)
    sector(picture, 186, y - 9, 40, 11, "b")
    picture.text(233, y, "a sector it touches: 8 floats", "faint", "start", small=True)
    picture.frame(406, y - 9, 22, 10, "ink", 2.2)
    picture.text(435, y, "the block (open below: it goes on)", "faint", "start", small=True)
    return picture


def warp_walks_rows():
    side, high, cols, step = 18, 20, 24, 10
    shown = [*range(8), 31]
    picture = Picture(
        720, 392, "One thread a row: at step j a warp reads a column of A",
        "The matrix A, whose rows belong to the lanes of a warp, below the vector x. Each lane walks along its row and "
        "all are at column j. So the 32 lanes ask for 32 elements, each a row away from the next and in a sector of "
        "its own. Of x they ask for one element, the same for all.",
    )  # fmt: skip
    left, top = 138, 118
    at = left + step * side
    first = left + step // SECTOR * SECTOR * side

    def strip(y, height, divided=True):
        for k in range(cols + 1):
            colour, thick = ("line", 1) if k % SECTOR else ("faint", 1.2)
            picture.line(left + k * side, y, left + k * side, y + height, colour, thick)
        picture.line(left, y, left + cols * side, y, "faint", 1.2)
        picture.line(left, y + height, left + cols * side, y + height, "faint", 1.2)

    y = 50
    picture.text(at + side / 2, 22, "step j", "ink", weight="bold")
    picture.line(at + side / 2, 29, at + side / 2, 41, "ink", 1.8, arrow=True)
    strip(y, high)
    sector(picture, first, y, SECTOR * side, high, "c")
    picture.rect(at, y, side, high, "c")
    picture.text(left - 14, y + 15, "x", "c", "end", "bold")
    x = left + cols * side + 14
    picture.text(x, y + 9, "x(j), one for all", "c", "start", "bold")
    picture.text(x, y + 26, "lanes: 1 sector", "c", "start", "bold")

    picture.text(left, top - 12, "A, row-major", "a", "start", "bold")
    for k, number in enumerate(shown):
        y = top + k * high + (22 if number == 31 else 0)
        strip(y, high)
        sector(picture, first, y, SECTOR * side, high)
        lane(picture, at, y, side, high, number)
        picture.text(left - 14, y + 15, f"lane {number}: row {number}", "ink", "end", small=True)
        picture.line(at + side + 5, y + high / 2, at + 2.4 * side, y + high / 2, "a", 1.8, arrow=True)
    picture.text(at + side / 2, top + 8 * high + 16, "⋮", "ink", weight="bold")
    picture.text(left - 44, top + 8 * high + 16, "⋮", "ink", weight="bold")
    picture.text(x, top + 14, "32 lanes,", "a", "start", "bold")
    picture.text(x, top + 32, "32 sectors:", "a", "start", "bold")
    picture.text(x, top + 58, "4 bytes used", "ink", "start")
    picture.text(x, top + 76, "of each 32", "ink", "start")
    picture.text(x, top + 112, "From lane to", "ink", "start")
    picture.text(x, top + 130, "lane a row:", "ink", "start")
    picture.text(x, top + 148, "4 n bytes", "ink", "start")
    bottom = top + 9 * high + 22
    picture.text(left, bottom + 26, "Every lane walks to the right; at each step the column of the 32 moves on by one.",
                 "ink", "start")  # fmt: skip
    picture.text(left, bottom + 48, "A framed stretch is a sector: 8 floats, 32 bytes, what memory delivers at least.",
                 "faint", "start", small=True)  # fmt: skip
    return picture


def row_or_column_major():
    size, step, side, big = 8, 1, 10, 20  # rows and columns drawn; the column read
    picture = Picture(
        720, 450, "The same column of A in memory, row by row and column by column",
        "A matrix of eight rows and columns whose column 1 eight lanes read. Stored row after row its elements lie a "
        "row apart: eight lanes, eight sectors. Stored column after column they are neighbours: eight lanes, one "
        "sector. Of a whole warp's 32 lanes the first takes 32 sectors, the second 4.",
    )  # fmt: skip
    left, top = 40, 56
    picture.text(left, 26, "Step j = 1: the lanes of a warp read a column of A", "ink", "start", "bold")
    for row in range(size):
        lane(picture, left + 46 + step * big, top + row * big, big, big, row)
        picture.text(left + 36, top + row * big + 14, f"row {row}", "faint", "end", small=True)
    picture.grid(left + 46, top, size, size, big)
    picture.text(left + 46 + (step + 0.5) * big, top - 8, "1", "a", weight="bold")
    x = left + 46 + size * big + 32
    picture.text(x, top + 34, "Lane k reads A(k, 1), whatever the order in memory.", "ink", "start")
    picture.text(x, top + 54, "The order decides where that is:", "ink", "start")
    picture.text(x, top + 88, "A[row * n + j]", "a", "start", "bold")
    picture.text(x + 120, top + 88, "row-major, row after row", "ink", "start")
    picture.text(x, top + 110, "A[j * m + row]", "a", "start", "bold")
    picture.text(x + 120, top + 110, "column-major, column after column", "ink", "start")

    def memory(y, kind, place, verdict):
        picture.text(left, y - 12, f"{kind}-major", "ink", "start", "bold")
        picture.text(left + size * size * side, y - 12, verdict, "a", "end", "bold")
        places = {place(row): row for row in range(size)}
        high = 26
        for k in range(size * size + 1):
            colour, thick = ("line", 1) if k % SECTOR else ("faint", 1.4)
            picture.line(left + k * side, y, left + k * side, y + high, colour, thick)
        picture.frame(left, y, size * size * side, high, "faint", 1.4)
        for k in sorted({place // SECTOR for place in places}):
            sector(picture, left + k * SECTOR * side, y, SECTOR * side, high)
        for at, row in places.items():
            lane(picture, left + at * side, y + 3.5, side, high - 7, row)
        for k in range(size):
            middle = left + (k + 0.5) * size * side
            picture.text(middle, y + high + 18, f"{kind.lower()} {k}", "faint", small=True)

    memory(264, "Row", lambda row: row * size + step, "8 lanes, 8 sectors; a warp's 32 lanes: 32 sectors")
    memory(356, "Column", lambda row: step * size + row, "8 lanes, 1 sector; a warp's 32 lanes: 4 sectors")
    picture.text(left, 430, "Drawn: 8 rows and columns, and 8 of the 32 lanes, numbered. A framed stretch is a sector: "
                 "8 floats, 32 bytes.", "faint", "start", small=True)  # fmt: skip
    return picture


PICTURES = {
    "block-shapes": block_shapes,
    "warp-walks-rows": warp_walks_rows,
    "row-or-column-major": row_or_column_major,
}
