"""Pictures of chapters 08 and 09: products of matrices."""

from svg import Picture


NARROW = 360  # the width of a picture for phones


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


def naive(phone=False):
    m, n, k, row, col = 8, 10, 8, 4, 6
    cell, left, gap = (14, 8, 22) if phone else (20, 40, 34)
    picture = Picture(
        *((NARROW, 360) if phone else (720, 440)), "One element of C: a row of A and a column of B",
        "The matrices of C = A B, B above C and A to the left of it. One element of C is marked, and the whole row "
        "of A and the whole column of B that its thread reads, element by element along k.",
    )  # fmt: skip
    (a_x, a_y), (b_x, b_y), (c_x, c_y) = product(picture, left, 24, cell, m, n, k, gap)
    picture.rect(a_x, a_y + row * cell, k * cell, cell, "a")
    picture.rect(b_x + col * cell, b_y, cell, k * cell, "b")
    picture.rect(c_x + col * cell, c_y + row * cell, cell, cell, "c")
    picture.line(a_x + 8, a_y + row * cell - 8, a_x + k * cell - 8, a_y + row * cell - 8, "a", 1.8, arrow=True)
    picture.line(b_x + col * cell - 8, b_y + 8, b_x + col * cell - 8, b_y + k * cell - 8, "b", 1.8, arrow=True)
    picture.text(a_x + 26, a_y + row * cell - 16, "p", "a", weight="bold")
    picture.text(b_x + col * cell - 20, b_y + 30, "p", "b", weight="bold")
    picture.axes(left + 4, 40)
    x, y = (left, c_y + m * cell + 46) if phone else (c_x + n * cell + 12, c_y + row * cell + 4)
    picture.text(x, y, "C(row, col) is the sum over p", "c", "start")
    picture.text(x, y + 18, "of A(row, p) B(p, col):", "c", "start")
    picture.text(x, y + 36, "one thread, 2 k reads", "c", "start")
    return picture


def tiles(phone=False):
    tile = 4
    cell, left, gap = (8, 8, 16) if phone else (14, 40, 34)
    m, n, k = 3 * tile, 4 * tile, 4 * tile
    side, now = tile * cell, 1  # which step of the walk is drawn
    picture = Picture(
        *((NARROW, 430) if phone else (820, 500)), "A tile of C: tiles of A and of B, step by step along k",
        "The matrices of C = A B in tiles. A block of threads computes one tile of C. Step by step it takes the next "
        "tile of A, to the right, and the next of B, downwards; those of the second step are marked.",
    )  # fmt: skip
    (a_x, a_y), (b_x, b_y), (c_x, c_y) = product(picture, left, 24, cell, m, n, k, gap)
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
    picture.axes(left + 4, 40)
    x, y = (left, c_y + m * cell + 50) if phone else (c_x + n * cell + 14, c_y + 10)
    picture.text(x, y, "A block of threads owns a tile of C.", "c", "start", "bold")
    picture.text(x, y + 24, "At each step it fetches one", "ink", "start")
    picture.text(x, y + 42, "tile of A and one of B into", "ink", "start")
    picture.text(x, y + 60, "shared memory, waits, uses", "ink", "start")
    picture.text(x, y + 78, "each element as often as the", "ink", "start")
    picture.text(x, y + 96, "tile is wide, waits, goes on.", "ink", "start")
    return picture


def mappings(phone=False):
    cell, rows, cols, lanes, p = 14, 8, 24, 8, 3
    picture = Picture(
        *((NARROW, 908) if phone else (860, 590)), "What a warp reads at one step, in either mapping of threads",
        "Above, x counts rows: eight lanes read eight elements of A, each in another row and another sector, and one "
        "element of B. Below, x counts columns: all lanes read the same element of A, and neighbours in a row of B, "
        "which are in one sector.",
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

    left, right = (12, 12) if phone else (40, 470)  # of A and of B: on a phone B is below A
    down = rows * cell + 66 if phone else 0

    def says(top, *words):
        for k, line in enumerate(words if phone else [" ".join(words)]):
            picture.text(left, top - 50 - 18 * (len(words) - 1 - k) * phone, line, "ink", "start", "bold")

    top = 94 if phone else 76
    says(top, "Swapped: x counts rows.", "Neighbouring threads, neighbouring rows.")
    matrix(left, top, "a", "A, at step p: each lane another row")
    matrix(right, top + down, "b", "B, at step p: one element for all")
    for row in range(lanes):
        sectors(left, top, "a", row, 0)
    for row in range(lanes):
        lane(left, top, "a", row, p, str(row))
    sectors(right, top + down, "b", p, 8)
    lane(right, top + down, "b", p, 13, "")
    below = top + rows * cell
    picture.text(left, below + 20, "32 lanes, 32 sectors: 4 bytes used of each 32", "a", "start")
    picture.text(right, below + down + 20, "1 sector", "b", "start")

    top = 512 if phone else 350
    says(top, "Naive: x counts columns.", "Neighbouring threads, neighbouring columns.")
    matrix(left, top, "a", "A, at step p: one element for all")
    matrix(right, top + down, "b", "B, at step p: neighbours in a row")
    sectors(left, top, "a", 3, 0)
    lane(left, top, "a", 3, p, "")
    sectors(right, top + down, "b", p, 0)
    for k in range(lanes):
        lane(right, top + down, "b", p, k, str(k))
    below = top + rows * cell
    picture.text(left, below + 20, "1 sector", "a", "start")
    picture.text(right, below + down + 20, "32 lanes, 4 sectors: every byte used", "b", "start")
    notes = ("Eight of the 32 lanes are drawn, numbered.", "A framed stretch is a sector: 8 floats, 32 bytes,",
             "what memory delivers at least.")  # fmt: skip
    for k, line in enumerate(notes if phone else [" ".join(notes)]):
        picture.text(left, below + down + (50 if phone else 62) + 17 * k, line, "faint", "start", small=True)
    return picture


PICTURES = {"gemm-naive": naive, "gemm-tiles": tiles, "gemm-mappings": mappings}
