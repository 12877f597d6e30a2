"""Pictures of chapters 06 to 09: rows split among threads, one memory seen two ways, loops unrolled, early loads."""

import json

from places import RESULTS
from svg import Picture

from .parts import bars, bracket, cell, heading, note

COLOURS = ("a", "b", "c", "ink")


def split_rows(phone=False):
    rows, lanes, warps = 8, 8, 4
    cols, size, left, begin = (13, 12, 48, 6) if phone else (24, 15, 62, 20)
    sums_x, y_x, height = left + cols * size + (16 if phone else 34), 342 if phone else 640, 188 if phone else 186
    picture = Picture(
        *((360, 642) if phone else (720, 608)), "One thread per row, or a row split among threads",
        "Three ways to share a matrix among threads, a colour for each warp. One thread per row: one warp has all rows. "
        "Column-major and split: warps take columns in turn, and each row has a sum of every warp. Row-major and "
        "split: a warp takes a row, its lanes the columns in turn, and each row has a sum of every lane.",
    )  # fmt: skip

    def panel(top, title, warp_of, first, sums, adding):
        """warp_of(row, col) owns an element; first(row, col) is the lane that reads it at the first step, or None."""
        first_words, _, more = title.partition(": ") if phone else (title, "", "")
        heading(picture, begin, top, first_words)
        if more:
            note(picture, begin, top + 17, more, colour="ink")
        y = top + (50 if phone else 32)
        for row in range(rows):
            for col in range(cols):
                colour, lane = COLOURS[warp_of(row, col) % 4], first(row, col)
                picture.rect(left + col * size, y + row * size, size, size, colour, pale=True)
                if lane is not None:
                    picture.text(left + (col + 0.5) * size, y + (row + 0.8) * size, str(lane), "ink", small=True)
        picture.grid(left, y, cols, rows, size)
        middle = y + rows * size / 2
        near, off = (3, 7) if phone else (8, 12)
        picture.line(left + cols * size + near, middle, sums_x - off, middle, "faint", 1.4, arrow=True)
        for row in range(rows):
            for k in range(sums):
                colour = COLOURS[warp_of(row, k) % 4]
                cell(picture, sums_x + k * size, y + row * size, size, size, colour)
            cell(picture, y_x, y + row * size, size, size, "faint")
        picture.line(sums_x + sums * size + 8, middle, y_x - (6 if phone else 12), middle, "faint", 1.4,
                     arrow=True)  # fmt: skip
        note(picture, sums_x, y - 8, f"{sums} sum{'s' if sums > 1 else ''} a row", colour="ink")
        picture.text(y_x + size / 2, y - 8, "y", "ink", small=True)
        note(picture, 352 if phone else sums_x, y + rows * size + 17, adding, anchor="end" if phone else "start",
             colour="ink")  # fmt: skip
        return y

    y = panel(24, "Column-major, one thread per row", lambda row, col: 0, lambda row, col: row if col == 0 else None, 1,
              "nothing to add up")  # fmt: skip
    note(picture, left - 8, y + 12, "warp 0", anchor="end")
    y = panel(24 + height, "Column-major, split: the warps of a block take columns in turn",
              lambda row, col: col % warps, lambda row, col: row if col < warps else None, warps,
              "add up in shared memory")  # fmt: skip
    note(picture, left - 8, y - 8, "warp", anchor="end")
    for col in range(cols):
        picture.text(left + (col + 0.5) * size, y - 8, str(col % warps), "faint", small=True)
    y = panel(24 + 2 * height, "Row-major, split: a warp takes a row, its lanes the columns in turn",
              lambda row, col: row, lambda row, col: col if col < lanes else None, lanes,
              "add up with shuffles")  # fmt: skip
    for row in range(rows):
        note(picture, left - 8, y + (row + 0.8) * size, f"warp {row}" if row == 0 else str(row), anchor="end")
    notes = ("A colour is a warp. Numbers: the lanes that", "read at the first step.",
             "Drawn are 8 of the 32 lanes of a warp,", "and a few of the warps of a block.")  # fmt: skip
    note(picture, begin, y + rows * size + 34, *(notes if phone else [" ".join(notes[:2]), " ".join(notes[2:])]))
    return picture


M, N = 3, 5  # rows and columns of our matrix
MEMORY = [(i, j) for i in range(M) for j in range(N)]  # row-major: element (i, j) is at i n + j


def matrix(picture, x, y, rows, cols, element):
    """Cells of 46 by 24; element(row, col) is the (i, j) of A that is there, its colour says the i."""
    for row in range(rows):
        for col in range(cols):
            i, j = element(row, col)
            cell(picture, x + col * 46, y + row * 24, 46, 24, COLOURS[i], f"A({i},{j})")


def memory(picture, y, every, label, below, phone=False):
    """The bytes in their order, cut into pieces of `every` elements; label(piece) names each. On a phone in several
    rows of whole pieces; gives the place of an element."""
    left, width = (8, 45) if phone else (24, 45)
    in_row = 7 // every * every if phone else len(MEMORY)

    def place(at):
        return left + at % in_row * width, y + at // in_row * 84

    for at, (i, j) in enumerate(MEMORY):
        x, top = place(at)
        cell(picture, x, top, width, 26, COLOURS[i], f"A({i},{j})")
        picture.text(x + width / 2, top + (41 if not below else -6), str(at), "faint", small=True)
    for piece in range(len(MEMORY) // every):
        x, top = place(piece * every)
        at, tick = (top + 36, -5) if below else (top - 10, 5)
        bracket(picture, x + 3, x + every * width - 3, at, label(piece), tick=tick)
    return place


def same_bytes(phone=False):
    left, down = (8, 230) if phone else (24, 0)
    picture = Picture(
        *((360, 790) if phone else (720, 486)), "The same bytes: a row-major matrix, and its transpose column-major",
        f"A matrix A of {M} rows and {N} columns, row-major; below it its {M * N} elements in the order of memory; and "
        f"below that the matrix B of {N} rows and {M} columns that the library sees in the same bytes, column-major "
        f"with leading dimension {N}. Row 0 of A is column 0 of B: B is the transpose of A.",
    )  # fmt: skip
    heading(picture, left, 26, f"We: A, {M} rows, {N} columns, row-major")
    matrix(picture, left, 42, M, N, lambda row, col: (row, col))
    x, y = (left, 136) if phone else (284, 62)
    note(picture, x, y, f"A(i, j) is at {N} i + j", "a row after the other", colour="ink")
    y = 190 if phone else 160
    heading(picture, left, y, "Memory: the same bytes for both")
    place = memory(picture, y + 38, N, lambda piece: f"row {piece} of A", False, phone)
    for piece in range(M):
        x, y = place(piece * N)
        words = f"column {piece} of B" + ("" if phone else f": {N} elements")
        if phone:
            note(picture, x + N * 45 + 12, y + 17, words, colour="ink")
        else:
            bracket(picture, x + 3, x + N * 45 - 3, y + 54, words, tick=-5)
    lines = (f"The library: B, {N} rows, {M} columns,", f"column-major, leading dimension {N}")
    y = 478 if phone else 308
    for k, words in enumerate(lines if phone else [" ".join(lines)]):
        heading(picture, left, y + 17 * k, words)
    y += 33 if phone else 16
    matrix(picture, left, y, N, M, lambda row, col: MEMORY[col * N + row])
    note(picture, left + 168, y + 20, f"B(r, c) is at {N} c + r", "a column after the other", colour="ink")
    lines = ("B(j, i) = A(i, j): B is A transposed,", "and nothing has moved.")
    x, y = (left, y + 148) if phone else (left + 168, y + 72)
    note(picture, x, y, *(lines if phone else [" ".join(lines)]), colour="ink")
    note(picture, left, 712 if phone else 470, "A colour is a row of A.")
    picture.size = (360, 724) if phone else picture.size
    return picture


def other_bytes(phone=False):
    left = 8 if phone else 24
    picture = Picture(
        *((360, 518) if phone else (720, 300)), "The same bytes with the wrong sizes",
        f"The {M * N} elements of A in memory, cut into columns of {M} as the wrong call says, and the matrix of {M} "
        f"rows and {N} columns that the library then sees. Rows of A are torn apart in it.",
    )  # fmt: skip
    words = (f"Memory, cut every {M} elements:", f"leading dimension {M}")
    for k, line in enumerate(words if phone else [" ".join(words)]):
        heading(picture, left, 26 + 17 * k, line)
    memory(picture, 76 if phone else 56, M, lambda piece: f"column {piece}", True, phone)
    y = 334 if phone else 150
    heading(picture, left, y, f"The library, told {M} rows and {N} columns, sees")
    matrix(picture, left, y + 16, M, N, lambda row, col: MEMORY[col * M + row])
    x, below = (left, y + 108) if phone else (284, y + 36)
    note(picture, x, below, "neither A nor its transpose. The product with", f"its transpose reads {M} elements of x, "
         f"which has {N},", f"and writes {N} elements of y, which has {M}.", colour="ink")  # fmt: skip
    note(picture, left, 504 if phone else 276, "A colour is a row of A.")
    return picture


def strips(phone=False):
    rows, threads, scale = 256, 512, 1.15
    panels = ((10, 32, 62), (10, 8, 444)) if phone else ((30, 32, 62), (396, 8, 62))
    picture = Picture(
        *((360, 842) if phone else (720, 438)), "Tall strips and narrow ones",
        f"A column-major matrix of {rows} rows, twice. In strips of 128 rows it has work for 2 blocks, in strips of 32 "
        "rows for 8. A block reads a rectangle of its strip at a time, and walks to the right along the columns.",
    )  # fmt: skip
    for left, lanes, top in panels:
        tall, wide, side = 4 * lanes, threads // lanes, rows * scale
        heading(picture, left, top - 36, f"{lanes} lanes: strips of {tall} rows")
        note(picture, left, top - 14, f"{rows // tall} blocks for {rows} rows, {wide} columns at a time", colour="ink")
        for strip in range(rows // tall):
            y, h = top + strip * tall * scale, tall * scale
            for step in range(2):
                picture.rect(left + step * wide * scale, y, wide * scale, h, "a", pale=step > 0)
            picture.line(left + 2 * wide * scale, y, left + 2 * wide * scale, y + h, "a", 1)
            picture.line(left, y, left + wide * scale, y, "white", 1.4)
            picture.line(left + wide * scale, y, left + side, y, "faint", 1.2)
            picture.text(left + 160, y + h / 2 + 4, f"block {strip}", "ink", "start", small=True)
            picture.line(left + 214, y + h / 2, left + 270, y + h / 2, "faint", 1.4, arrow=True)
        for y in (top, top + side):
            picture.line(left, y, left + side, y, "faint", 1.4)
        picture.line(left, top, left, top + side, "faint", 1.4)
        note(picture, left, top + side + 20, f"a piece of a column: {tall} rows, {4 * tall} bytes", colour="ink")
    notes = (f"Filled: what a block of {threads} threads asks for",
             f"with one float4 a thread, either way {threads * 4:,} elements.",
             "Pale: what comes next. The columns go on to the right.")  # fmt: skip
    note(picture, panels[0][0], top + rows * scale + 48, *(notes if phone else [" ".join(notes[:2]), notes[2]]))
    return picture


def unrolled_loop(phone=False):
    data = json.loads((RESULTS / "sm_90" / "09_gemm_unroll.json").read_text(encoding="utf-8"))
    loops = {kernel["kernel"]: kernel["loop"] for kernel in data["kernels"]}
    wide, high = (10.4 if phone else 13), 20
    stacks = ((10, 250), (150, 250), (10, 428)) if phone else ((24, 226), (140, 226), (276, 226))
    picture = Picture(
        *((360, 614) if phone else (720, 354)), "One pass of the inner loop, an instruction a rectangle",
        "Three loops as stacks of rectangles, one for each instruction of a pass, as wide as it has multiply-adds. "
        "So a stack's height is its instructions for each multiply-add: most if rolled, fewer by hand, fewest by "
        "pragma.",
    )  # fmt: skip
    words = ("An instruction a rectangle,", "a multiply-add a column")
    for k, line in enumerate(words if phone else [" ".join(words)]):
        heading(picture, stacks[0][0], 26 + 17 * k, line)
    for (x, bottom), title, form in zip(stacks, ("rolled", "by hand", "by pragma"), ("Rolled", "ByHand", "ByPragma")):
        loop = loops[f"gemm_unroll<32, {form}>"]
        adds, counts, every = loop["multiply_adds"], loop["counts"], loop["instructions"]
        kinds = ["c"] * counts["FFMA"] + ["a"] * counts["LDS"]
        kinds += ["faint"] * (every - len(kinds))
        for at, colour in enumerate(kinds):
            picture.rect(x + at % adds * wide + 1, bottom - (at // adds + 1) * high + 1, wide - 2, high - 2, colour)
        picture.line(x, bottom + 3, x + adds * wide, bottom + 3, "ink", 1.4)
        picture.text(x, bottom - (every - 1) // adds * high - high - 7, f"{every / adds:.2f}", "ink", "start", "bold")
        heading(picture, x, bottom + 24, title)
        note(picture, x, bottom + 42, f"{every} instructions,", f"{adds} multiply-add{'s' if adds > 1 else ''}",
             colour="ink")  # fmt: skip
    key, y = (10, 500) if phone else (24, 304)
    for colour, text in (("c", "multiply-add (FFMA)"), ("a", "load from shared memory (LDS)"),
                         ("faint", "everything else")):  # fmt: skip
        picture.rect(key, y, 12, 12, colour)
        note(picture, key + 18, y + 10, text, colour="ink")
        key, y = (key, y + 20) if phone else (key + 44 + 6.4 * len(text), y)
    notes = (f"By pragma a pass is a whole tile: its {counts['LDG']} loads",
             f"from global memory and {counts['BAR']} barriers are among the rest.")  # fmt: skip
    note(picture, stacks[0][0], 580 if phone else 338, *(notes if phone else [" ".join(notes)]))
    return picture


def double_fetch(phone=False):
    height = 20
    left, scale, edge = (62, 0.345, 6) if phone else (92, 0.72, 20)
    load, store, compute, tiles = 132, 30, 110, 3
    picture = Picture(
        *((360, 386) if phone else (720, 340)), "A tile asked for when it is needed, and one asked for early",
        "Time lines of a block and of its loads. Above, the block asks for a tile, waits, stores it and computes, tile "
        "by tile. Below, it asks for the next tile before it computes, so most of the waiting is behind the computing.",
    )  # fmt: skip

    def scene(top, title, early):
        for k, words in enumerate(title.split(": ") if phone else [title]):
            heading(picture, edge, top - (18 if phone and k == 0 and ": " in title else 0), words)
        now, block, loads, barriers = 0, [], [], []
        asked = 0  # when the tile that is stored next was asked for
        for tile in range(tiles):
            if not early:
                asked = now
            loads.append((asked, asked + load, "b", f"tile {tile}"))
            come = asked + load
            block.append((now, come, "", ""))
            block.append((come, come + store, "ink", ""))
            begin = come + store
            barriers += [begin, begin + compute]
            block.append((begin, begin + compute, "c", f"use {tile}" if phone else f"use tile {tile}"))
            asked, now = begin, begin + compute
        note(picture, left - 10, top + 31, "block", anchor="end")
        note(picture, left - 10, top + 59, "memory", anchor="end")
        bars(picture, left, top + 17, height, scale, block)
        bars(picture, left, top + 45, height, scale, loads)
        for at in barriers:
            picture.line(left + scale * at, top + 11, left + scale * at, top + 40, "ink", 2.4)
        return left + scale * now

    late = scene(24, "Asked for when it is needed", False)
    soon = scene(134, "Asked for early: the next tile travels while this one is used", True)
    picture.line(soon, 148, soon, 232, "faint", 1.2)
    picture.line(late, 38, late, 232, "faint", 1.2)
    picture.line(late - 6, 222, soon + 8, 222, "c", 2, arrow=True)
    picture.text((late + soon) / 2, 214, "earlier", "ink", small=True)
    key, y, right = edge, 264, 300 if phone else 720
    for draw, text in (("b", "a load in flight"), ("", "waiting"), ("ink", "store into shared memory"),
                       ("c", "multiply and add"), ("|", "barrier")):  # fmt: skip
        if key + 28 + 6.4 * len(text) > right + 60:
            key, y = edge, y + 24
        if draw == "|":
            picture.line(key + 10, y - 2, key + 10, y + 18, "ink", 2.4)
        else:
            bars(picture, key, y, 16, 1, [(0, 22, draw, "")])
        note(picture, key + 28, y + 12, text, colour="ink")
        key += 46 + 6.4 * len(text)
    notes = ("A sketch, not a measurement: how long the pieces", "take differs from GPU to GPU. One block is drawn.")
    note(picture, edge, y + 52, *(notes if phone else [" ".join(notes)]))
    return picture


PICTURES = {
    "split-rows": split_rows,
    "same-bytes": same_bytes,
    "other-bytes": other_bytes,
    "strips": strips,
    "unrolled-loop": unrolled_loop,
    "double-fetch": double_fetch,
}
