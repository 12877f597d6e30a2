"""Pictures of chapter 16: matrices as a library takes them."""

from svg import Picture

from .parts import bracket, cell, empty, heading, note

LD, COLS = 6, 5  # of the large matrix
FIRST, ROWS, WIDE = (2, 1), 3, 2  # where the part begins, and its extents


def part_colour(i, j):
    return "a" if FIRST[0] <= i < FIRST[0] + ROWS and FIRST[1] <= j < FIRST[1] + WIDE else None


def part_of_a_matrix(phone=False):
    """A submatrix, and both in the order of memory; and a row, with its stride."""
    left, size, high = 8 if phone else 24, 44, 24
    picture = Picture(
        *((360, 522) if phone else (720, 326)), "A part of a matrix, and a row of it, in memory",
        f"A column-major matrix of {LD} rows and {COLS} columns with leading dimension {LD}. In it a part of {ROWS} rows "
        f"and {WIDE} columns that begins at row {FIRST[0]}, column {FIRST[1]}. In memory the part's columns are {LD} "
        f"elements apart, as those of the whole are, and so are the elements of a row.",
    )  # fmt: skip

    def element(x, y, width, i, j, label):
        colour = part_colour(i, j) or ("b" if i == 0 else None)
        if colour:
            cell(picture, x, y, width, high, colour, label)
        else:
            empty(picture, x, y, width, high)
            picture.text(x + width / 2, y + high / 2 + 4, label, "faint", small=True)

    heading(picture, left, 26, f"A: {LD} rows, {COLS} columns, ld = {LD}")
    for i in range(LD):
        for j in range(COLS):
            element(left + j * size, 42 + i * high, size, i, j, f"{i},{j}")
    words = [f"part: {ROWS} rows, {WIDE} columns, ld = {LD},", f"address A + {FIRST[1]} ld + {FIRST[0]}",
             "row 0: stride ld; column 0: stride 1"]  # fmt: skip
    if phone:
        note(picture, left, 42 + LD * high + 22, *words, colour="ink")
    else:
        note(picture, left + COLS * size + 40, 100, *words, colour="ink")
    y = 42 + LD * high + (102 if phone else 36)
    heading(picture, left, y, "Memory: column after column")
    in_line = LD if phone else LD * COLS
    width = size if phone else 672 / in_line
    for at in range(LD * COLS):
        x, top = left + at % in_line * width, y + 16 + at // in_line * (high + (10 if phone else 0))
        element(x, top, width, at % LD, at // LD, str(at))
    if phone:
        note(picture, left, y + 16 + COLS * (high + 10) + 14, "A line is a column: ld elements.", "Blue: the part. Orange: row 0.")
    else:
        for column in range(COLS):
            x = left + column * LD * width
            bracket(picture, x + 3, x + LD * width - 3, y + 16 + high + 12, f"column {column}", tick=-5)
        note(picture, left, y + 16 + high + 52, "Blue: the part. Orange: row 0. Numbers: places in memory.")
    return picture


N, BELOW, ABOVE = 6, 2, 1
DIAGONALS = {ABOVE: "b", 0: "a", -1: "c", -BELOW: "ink"}


def band_storage(phone=False):
    """A band matrix, and its diagonals as rows of a store with above + 1 + below rows."""
    left, size, high = 8 if phone else 24, 48, 26
    picture = Picture(
        *((360, 540) if phone else (720, 216)), "A band matrix, and how it is stored",
        f"A matrix of {N} rows and columns whose elements are 0 but for the diagonal, {BELOW} diagonals below it and "
        f"{ABOVE} above it. Its store has {ABOVE + 1 + BELOW} rows and {N} columns: each diagonal is a row, each column "
        f"stays a column. Element (i, j) stands in row {ABOVE} + i - j. {ABOVE} corner at the upper left and "
        f"{BELOW * (BELOW + 1) // 2} at the lower right belong to nothing.",
    )  # fmt: skip
    heading(picture, left, 26, f"A: {N} × {N}, below = {BELOW}, above = {ABOVE}")
    top = 42
    for i in range(N):
        for j in range(N):
            x, y = left + j * size, top + i * high
            if j - i in DIAGONALS:
                cell(picture, x, y, size, high, DIAGONALS[j - i], f"{i},{j}")
            else:
                empty(picture, x, y, size, high)
                picture.text(x + size / 2, y + high / 2 + 4, "0", "faint", small=True)
    x0, y0 = (left, top + N * high + 42) if phone else (left + N * size + 48, 42)
    heading(picture, x0, y0 - 16, f"Stored: {ABOVE + 1 + BELOW} rows, {N} columns")
    for row in range(ABOVE + 1 + BELOW):
        for j in range(N):
            i = row - ABOVE + j
            x, y = x0 + j * size, y0 + row * high
            if 0 <= i < N:
                cell(picture, x, y, size, high, DIAGONALS[j - i], f"{i},{j}")
            else:
                empty(picture, x, y, size, high)
                picture.text(x + size / 2, y + high / 2 + 4, "×", "faint", small=True)
    y = y0 + (ABOVE + 1 + BELOW) * high + 24
    note(picture, x0, y, f"(i, j) stands in row {ABOVE} + i - j of column j.",
         "A colour is a diagonal. ×: never read.", colour="ink")  # fmt: skip
    picture.size = (360, int(y + 34)) if phone else picture.size
    return picture


PICTURES = {"part-of-a-matrix": part_of_a_matrix, "band-storage": band_storage}
