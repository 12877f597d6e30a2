"""Pictures of chapter 17: a tensor in memory, and the matrix that it is."""

from svg import Picture

from .parts import bracket, cell, heading, note

M, H, K, N = 2, 3, 2, 2  # extents of A[m,h,k,n]
COLOURS = ("a", "b")  # by n


def at(m, h, k, n):
    return m + M * (h + H * (k + K * n))


def modes_to_matrix(phone=False):
    left, wide = (8, 27) if phone else (24, 27)
    picture = Picture(
        *((360, 640) if phone else (720, 390)), "A tensor in memory, and the matrix that it is",
        f"The {M * H * K * N} elements of A[m,h,k,n] with extents {M}, {H}, {K} and {N} in the order of memory, and "
        "the same elements as a matrix with rows (m,n) and columns (h,k). Neighbours down a column are neighbours in "
        f"memory, {M} at a time.",
    )  # fmt: skip
    half, tall = M * H * K, 17
    heading(picture, left, 26, "Memory: A[m,h,k,n], m is fastest")
    note(picture, left, 46, "In a cell: its four indices. Below: where it is.", colour="ink")
    for n in range(N):
        x0, y = (left + 18, 86 + 144 * n) if phone else (left + 18 + n * half * wide, 86)
        for k in range(K):
            for h in range(H):
                for m in range(M):
                    place = at(m, h, k, n)
                    x = x0 + (place - n * half) * wide
                    cell(picture, x, y, wide, 4 * tall + 4, COLOURS[n])
                    for line, index in enumerate((m, h, k, n)):
                        picture.text(x + wide / 2, y + tall * (line + 1) - 2, str(index), "ink", small=True)
                    picture.text(x + wide / 2, y + 4 * tall + 19, str(place), "faint", small=True)
        bracket(picture, x0 + 3, x0 + half * wide - 3, y - 8, f"n = {n}", tick=5)
        if phone or n == 0:
            for line, name in enumerate("mhkn"):
                picture.text(x0 - 12, y + tall * (line + 1) - 2, name, "ink", small=True)
    y = 366 if phone else 214
    heading(picture, left, y, "The matrix: rows (m,n), columns (h,k)")
    top, column, row_high, begin = y + 54, 40, 24, left + 66
    for k in range(K):
        bracket(picture, begin + k * H * column + 3, begin + (k + 1) * H * column - 3, top - 22, f"k = {k}", tick=5)
        for h in range(H):
            picture.text(begin + (k * H + h + 0.5) * column, top - 6, f"h={h}", "faint", small=True)
    for n in range(N):
        for m in range(M):
            row = m + M * n
            note(picture, begin - 8, top + row_high * (row + 0.7), f"m={m} n={n}", anchor="end")
            for k in range(K):
                for h in range(H):
                    cell(picture, begin + (k * H + h) * column, top + row * row_high, column, row_high, COLOURS[n],
                         str(at(m, h, k, n)))  # fmt: skip
    lines = (f"Where an element is: m + {M * H * K} n for its row,", f"and {M} h + {M * H} k for its column.",
             "h and k follow each other in memory:", "as one mode, the column adds 2 (h + 3 k).")  # fmt: skip
    x, below = (left, top + 4 * row_high + 22) if phone else (begin + K * H * column + 32, top + 14)
    note(picture, x, below, *lines, colour="ink")
    note(picture, left, 632 if phone else 380, "A colour is a value of n.")
    return picture


PICTURES = {"modes-to-matrix": modes_to_matrix}
