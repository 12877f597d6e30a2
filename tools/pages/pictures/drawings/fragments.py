"""Pictures of chapter 21: which lane has which numbers of a tensor core's matrices, and where a tile's pieces are."""

from svg import Picture

from .parts import cell, heading, note

LANE = 5  # the one whose numbers stand out


def fragments(phone=False):
    wide, high = (18, 15) if phone else (25, 16)
    left, top, gap = (22, 82, 22) if phone else (50, 76, 18)
    picture = Picture(
        *((360, 656) if phone else (720, 510)), "Fragments: who has what of A, B and C",
        "Three matrices: A of 16 rows of 8 words, B of 8 words by 8 columns, C of 16 rows of 8 sums. In each cell stands "
        "the lane that has it. Of A row g belongs to lanes 4 g to 4 g + 3, and rows 8 further down with the same. Of B "
        "it is column g, of C row g again, two neighbours a lane. All numbers of lane 5 are marked: four words of A, "
        "two of B, four sums.",
    )  # fmt: skip
    across = left + 8 * wide + gap  # where B and C begin
    down = top + 8 * high + gap  # where A and C begin

    def matrix(x, y, rows, cols, colour, lane_of):
        for row in range(rows):
            for col in range(cols):
                lane = lane_of(row, col)
                cell(picture, x + col * wide, y + row * high, wide - 1, high - 1, colour, str(lane), pale=lane != LANE)

    matrix(left, down, 16, 8, "a", lambda row, word: row % 8 * 4 + word % 4)
    matrix(across, top, 8, 8, "b", lambda word, col: col * 4 + word % 4)
    matrix(across, down, 16, 8, "c", lambda row, col: row % 8 * 4 + col // 2)
    of_A, of_B = ("16 rows", "8 columns") if phone else ("16 rows of 32 bytes", "32 bytes by 8 columns")
    picture.text(left + 4 * wide, down - 8, f"A: {of_A}", "a", weight="bold")
    picture.text(across + 4 * wide, top - 8, f"B: {of_B}", "b", weight="bold")
    picture.text(across + 4 * wide, down + 16 * high + 18, "C: 16 × 8 floats", "c", weight="bold")
    heading(picture, left if phone else 20, 30, "In each cell: the lane that has it")
    x, y = (16, down + 16 * high + 50) if phone else (across + 8 * wide + 26, top + 10)
    heading(picture, x, y, f"Lane {LANE}: g = 1, t = 1")
    lines = ("A, row 1: words 1 and 5,", "registers 0 and 2", "A, row 9: words 1 and 5,", "registers 1 and 3",
             "B, column 1: words 1 and 5,", "registers 0 and 1", "C, row 1: columns 2 and 3,",
             "row 9: columns 2 and 3")  # fmt: skip
    if phone:
        lines = tuple(f"{lines[k]} {lines[k + 1]}" for k in range(0, 8, 2))
    note(picture, x, y + 24, *lines, colour="ink")
    words = ("A word has 4 bytes: two numbers", "of BF16 or FP16, one of TF32.")
    note(picture, x, y + 24 + 17 * len(lines) + 14, *words)
    return picture


def swizzle(phone=False):
    wide, high = (34, 22) if phone else (36, 24)
    picture = Picture(
        *((360, 590) if phone else (720, 320)), "Eight rows of eight pieces, plain and swizzled",
        "Eight rows of 128 bytes in shared memory, each of eight pieces of 16 bytes. Plain, piece 2 of all rows is in "
        "the same four banks, one below the other. Swizzled, it is in another place in each row: every place once.",
    )  # fmt: skip
    for k, (name, place, says) in enumerate((
        ("Plain", lambda row, piece: piece, "8 rows, the same banks: 8 wavefronts"),
        ("Swizzled: piece XOR row", lambda row, piece: piece ^ row, "8 rows, all 32 banks: 1 wavefront"),
    )):  # fmt: skip
        x, y = (46, 70 + 280 * k) if phone else (52 + 352 * k, 70)
        heading(picture, x - 30, y - 36, name)
        picture.text(x + 4 * wide, y - 10, "128 bytes: banks 0 to 31", "faint", small=True)
        for row in range(8):
            picture.text(x - 8, y + row * high + high / 2 + 4, str(row), "faint", "end", small=True)
            for piece in range(8):
                cell(picture, x + place(row, piece) * wide, y + row * high, wide - 2, high - 2,
                     "b" if piece == 2 else "line", str(piece))  # fmt: skip
        note(picture, x - 30, y + 8 * high + 22, f"Piece 2 of {says}", colour="ink")
    return picture


PICTURES = {"mma-fragments": fragments, "mma-swizzle": swizzle}
