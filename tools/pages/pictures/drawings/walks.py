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


def block_shapes(phone=False):
    side, first = 8 if phone else 9, 4  # a float's cell; where the block begins, in rows and columns
    picture = Picture(
        *((360, 838) if phone else (720, 452)), "The first warp of a block in three shapes, and the sectors it touches",
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

    if phone:
        panel(8, 56, 43, 14, 32, 8, ("32 × 8", "a row of 32 threads: 4 sectors", "128 of 128 bytes used"))
        panel(8, 230, 43, 16, 8, 32, ("8 × 32", "four rows of 8: 4 sectors", "128 of 128 bytes used"))
        panel(8, 420, 43, 38, 1, 256, ("1 × 256", "a column: 32 sectors", "128 of 1,024 bytes used"))
        for k, words in enumerate(("a lane of the first warp", "a sector it touches: 8 floats",
                                   "the block (open below: it goes on)")):  # fmt: skip
            y = 764 + 24 * k
            (lambda: lane(picture, 20, y - 9, 10, 10), lambda: sector(picture, 8, y - 9, 34, 11, "b"),
             lambda: picture.frame(14, y - 9, 22, 10, "ink", 2.2))[k]()  # fmt: skip
            picture.text(52, y, words, "faint", "start", small=True)
        return picture
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


def warp_walks_rows(phone=False):
    high, cols, step = 20, 24, 10
    side = 10 if phone else 18
    shown = [*range(8), 31]
    picture = Picture(
        *((360, 476) if phone else (720, 392)), "One thread per row: at step j a warp reads a column of A",
        "The matrix A, whose rows belong to the lanes of a warp, below the vector x. Each lane walks along its row and "
        "all are at column j. So the 32 lanes ask for 32 elements, each a row away from the next and in a sector of "
        "its own. Of x they ask for one element, the same for all.",
    )  # fmt: skip
    left, top = (104 if phone else 138), 118
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
    if not phone:
        picture.text(x, y + 9, "x(j), one for all", "c", "start", "bold")
        picture.text(x, y + 26, "lanes: 1 sector", "c", "start", "bold")

    picture.text(left, top - 12, "A, row-major", "a", "start", "bold")
    for k, number in enumerate(shown):
        y = top + k * high + (22 if number == 31 else 0)
        strip(y, high)
        sector(picture, first, y, SECTOR * side, high)
        lane(picture, at, y, side, high, "" if phone else number)
        picture.text(left - 14, y + 15, f"lane {number}: row {number}", "ink", "end", small=True)
        picture.line(at + side + 5, y + high / 2, at + 2.4 * side, y + high / 2, "a", 1.8, arrow=True)
    picture.text(at + side / 2, top + 8 * high + 16, "⋮", "ink", weight="bold")
    picture.text(left - 44, top + 8 * high + 16, "⋮", "ink", weight="bold")
    if phone:
        y = top + 9 * high + 48
        picture.text(8, y, "x(j), one for all lanes: 1 sector", "c", "start", "bold")
        picture.text(8, y + 22, "32 lanes, 32 sectors: 4 bytes used of each 32", "a", "start", "bold")
        for k, words in enumerate(("From lane to lane, one row: 4 n bytes.", "Every lane walks to the right; at each step",
                                   "the column of the 32 moves on by one.")):  # fmt: skip
            picture.text(8, y + 46 + 18 * k, words, "ink", "start")
        for k, words in enumerate(("A framed stretch is a sector: 8 floats, 32 bytes,",
                                   "the least that memory delivers.")):  # fmt: skip
            picture.text(8, y + 106 + 16 * k, words, "faint", "start", small=True)
        return picture
    picture.text(x, top + 14, "32 lanes,", "a", "start", "bold")
    picture.text(x, top + 32, "32 sectors:", "a", "start", "bold")
    picture.text(x, top + 58, "4 bytes used", "ink", "start")
    picture.text(x, top + 76, "of each 32", "ink", "start")
    picture.text(x, top + 112, "From lane to", "ink", "start")
    picture.text(x, top + 130, "lane, a row:", "ink", "start")
    picture.text(x, top + 148, "4 n bytes", "ink", "start")
    bottom = top + 9 * high + 22
    picture.text(left, bottom + 26, "Every lane walks to the right; at each step the column of the 32 moves on by one.",
                 "ink", "start")  # fmt: skip
    picture.text(left, bottom + 48, "A framed stretch is a sector: 8 floats, 32 bytes, the least that memory delivers.",
                 "faint", "start", small=True)  # fmt: skip
    return picture


def row_or_column_major(phone=False):
    size, step, side, big = 8, 1, 10, 20  # rows and columns drawn; the column read
    picture = Picture(
        *((360, 620) if phone else (720, 450)), "The same column of A in memory, row by row and column by column",
        "A matrix of eight rows and columns whose column 1 eight lanes read. Stored row after row its elements are a "
        "row apart: eight lanes, eight sectors. Stored column after column they are neighbours: eight lanes, one "
        "sector. Of a whole warp's 32 lanes the first takes 32 sectors, the second 4.",
    )  # fmt: skip
    left, top = (18 if phone else 40), 56
    who = "the lanes" if phone else "the lanes of a warp"
    picture.text(left, 26, f"Step j = 1: {who} read a column of A", "ink", "start", "bold")
    for row in range(size):
        lane(picture, left + 46 + step * big, top + row * big, big, big, row)
        picture.text(left + 36, top + row * big + 14, f"row {row}", "faint", "end", small=True)
    picture.grid(left + 46, top, size, size, big)
    picture.text(left + 46 + (step + 0.5) * big, top - 8, "1", "a", weight="bold")
    x, y = (left, top + size * big - 6) if phone else (left + 46 + size * big + 32, top)
    picture.text(x, y + 34, "Lane k reads A(k, 1), whatever the order in memory.", "ink", "start", small=phone)
    picture.text(x, y + 54, "The order decides where that is:", "ink", "start", small=phone)
    picture.text(x, y + 88, "A[row * n + j]", "a", "start", "bold")
    picture.text(x + 120, y + 88, "row-major, row after row", "ink", "start", small=phone)
    picture.text(x, y + 110, "A[j * m + row]", "a", "start", "bold")
    picture.text(x + 120, y + 110, "column-major, column after column", "ink", "start", small=phone)

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

    def memory_in_two(y, kind, place, verdict):
        """The same, cut in the middle: both halves of memory, one below the other."""
        picture.text(left, y - 30, f"{kind}-major", "ink", "start", "bold")
        picture.text(left, y - 11, verdict, "a", "start", "bold")
        places = {place(row): row for row in range(size)}
        half, high = size * size // 2, 26
        for begin, top in ((0, y), (half, y + 56)):
            for k in range(half + 1):
                colour, thick = ("line", 1) if k % SECTOR else ("faint", 1.4)
                picture.line(left + k * side, top, left + k * side, top + high, colour, thick)
            picture.frame(left, top, half * side, high, "faint", 1.4)
            for k in sorted({at // SECTOR for at in places if begin <= at < begin + half}):
                sector(picture, left + (k * SECTOR - begin) * side, top, SECTOR * side, high)
            for at, row in places.items():
                if begin <= at < begin + half:
                    lane(picture, left + (at - begin) * side, top + 3.5, side, high - 7, row)
            for k in range(size // 2):
                words = f"{kind.lower()} {k + begin // size}"
                picture.text(left + (k + 0.5) * size * side, top + high + 17, words, "faint", small=True)

    if phone:
        memory_in_two(394, "Row", lambda row: row * size + step, "8 lanes, 8 sectors; a warp's 32 lanes: 32")
        memory_in_two(566, "Column", lambda row: step * size + row, "8 lanes, 1 sector; a warp's 32 lanes: 4")
        picture.size = (360, 716)
        for k, words in enumerate(("Drawn: 8 rows and columns, and 8 of the 32 lanes,",
                                   "numbered. A framed stretch is a sector: 8 floats.")):  # fmt: skip
            picture.text(left, 690 + 16 * k, words, "faint", "start", small=True)
        return picture
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
