"""Pictures of chapters 19 and 20: what a thread of a matrix product has, which lanes are served together, and which
multiprocessor computes what."""

from svg import Picture

from .parts import cell, heading, note


def thread_tile(phone=False):
    side, gap = (120, 16) if phone else (192, 26)
    unit = side / 32  # the picture's tile has 32 x 32 numbers in place of 128 x 128: a patch 16, a square 4
    left, top = (52, 78) if phone else (90, 84)
    picture = Picture(
        *((360, 390) if phone else (720, 310)), "A thread's 8 × 8 sums, and the 16 numbers of a step",
        "A block's tile of C in four patches. A thread has a square of 4 × 4 sums at the same place of each patch. Beside "
        "C stands a column of A's tile, above it a row of B's: of each the thread reads two pieces of four numbers.",
    )  # fmt: skip
    place_x, place_y = 8, 4  # of the thread's square in a patch, in units
    picture.frame(left, top, side, side, "line", 1)
    for part in (0, 16):
        picture.frame(left - gap - unit * 2, top + part * unit, unit * 2, 16 * unit, "a", 1)
        picture.frame(left + part * unit, top - gap - unit * 2, 16 * unit, unit * 2, "b", 1)
        cell(picture, left - gap - unit * 2, top + (part + place_y) * unit, unit * 2, 4 * unit, "a", pale=False)
        cell(picture, left + (part + place_x) * unit, top - gap - unit * 2, 4 * unit, unit * 2, "b", pale=False)
        for across in (0, 16):
            picture.frame(left + across * unit, top + part * unit, 16 * unit, 16 * unit, "line", 1)
            cell(picture, left + (across + place_x) * unit, top + (part + place_y) * unit, 4 * unit, 4 * unit, "c",
                 pale=False)  # fmt: skip
    picture.text(left - gap - unit, top - 10, "A", "a", weight="bold")
    picture.text(left + side + 8, top - gap - unit + 4, "B", "b", "start", "bold")
    picture.text(left + side / 2, top + side + 18, "C: 4 patches, 64 × 64 each", "c")
    x, y = (16, top + side + 48) if phone else (left + side + 60, top + 10)
    heading(picture, x, y, "One step of k, one thread")
    lines = ("8 numbers of A, in two loads of 16 bytes", "8 numbers of B, in two loads of 16 bytes",
             "64 multiply-adds: 4 squares of 4 × 4 sums,", "64 apart, one in each patch, in registers", "",
             "Of a patch each of the 256 threads has one square.", "16 × 32 numbers of it, 4 × 8 squares, are a warp's.")  # fmt: skip
    for k, line in enumerate(lines):
        picture.text(x, y + 24 + 18 * k, line, "ink", "start")
    return picture


def lanes(phone=False):
    size, high = (34, 26) if phone else (36, 28)
    picture = Picture(
        *((360, 620) if phone else (720, 314)), "32 lanes of a warp, in rows and in pairs",
        "The 4 × 8 squares of a warp, each with the number of its lane, twice. In rows lanes 0 to 7 stand side by side, "
        "and lanes next to each other never want the same numbers of B. In pairs lanes 0 and 1 stand side by side and 2 "
        "and 3 below them: every lane has a neighbour that wants the same numbers of A, and one that wants the same "
        "numbers of B. The lanes that one wavefront serves are marked: 8 in rows, 16 in pairs.",
    )  # fmt: skip
    ways = (("In rows", lambda lane: (lane // 8, lane % 8), 8,
             ("B: lanes 0 to 7 want 8 × 16 bytes, a wavefront.", "The next 8 want the same, but another wavefront:",
              "4 in all. A: 2.")),
            ("In pairs", lambda lane: (lane // 2 % 2 + lane // 16 * 2, lane % 2 + lane // 4 % 4 * 2), 16,
             ("B: lanes 0 and 2, 1 and 3, … agree, so 16 lanes", "are served at once, and want 8 × 16 bytes:",
              "2 wavefronts in all. A: 2.")))  # fmt: skip
    for k, (name, place, together, words) in enumerate(ways):
        x, y = (44, 70 + 300 * k) if phone else (50 + 350 * k, 74)
        heading(picture, x - 30, y - 40, name)
        picture.text(x + 4 * size, y - 12, "8 times 4 numbers of B", "b", small=True)
        for lane in range(32):
            row, col = place(lane)
            cell(picture, x + col * size, y + row * high, size - 2, high - 2, "c" if lane < together else "line",
                 str(lane))  # fmt: skip
        picture.text(x - 8, y + 2 * high + 4, "A", "a", "end", "bold")
        note(picture, x - 30, y + 4 * high + 26, *words, colour="ink")
    x, y = (14, 590) if phone else (20, 300)
    note(picture, x, y, *(("Coloured: the lanes of one wavefront of a", "load of B.") if phone else
                          ("Coloured: the lanes that one wavefront of a load of B serves.",)))  # fmt: skip
    return picture


def steps_shared_out(phone=False):
    """Six tiles of four steps on four multiprocessors: by tiles that takes 8 steps, by steps 6."""
    processors, tiles, steps = 4, 6, 4
    begin, left, scale = (6, 58, 35) if phone else (20, 160, 64)
    height, pitch = 24, 32
    picture = Picture(
        360 if phone else 720, 376, "Six tiles on four multiprocessors",
        "Above, by tiles: each multiprocessor computes one of tiles 0 to 3. Then two compute tiles 4 and 5, and two have "
        "nothing to do. It takes 8 steps. Below, by steps: each gets 6 of the 24 steps. Tiles 1 and 4 are shared by two "
        "multiprocessors each, and all end after 6 steps.",
    )  # fmt: skip

    def table(top, text, pieces, length):
        heading(picture, begin, top - 16, text)
        for processor in range(processors):
            name = f"SM {processor}" if phone else f"multiprocessor {processor}"
            note(picture, begin, top + processor * pitch + 16, name, colour="ink")
        for processor, at, tile, count in pieces:
            label = f"tile {tile}" if count * scale > 70 else str(tile)
            cell(picture, left + scale * at, top + processor * pitch, scale * count, height,
                 "a" if count == steps else "b", label)  # fmt: skip
        end, bottom = left + scale * length, top + processors * pitch
        picture.line(end, top - 4, end, bottom, "faint", 1.2)
        note(picture, end, bottom + 14, f"{length} steps", anchor="end")

    table(36, "shared out by tiles", [(tile % processors, tile // processors * steps, tile, steps)
                                      for tile in range(tiles)], 8)  # fmt: skip
    each = tiles * steps // processors
    pieces = []
    for tile in range(tiles):
        step = tile * steps
        while step < (tile + 1) * steps:
            end = min((tile + 1) * steps, (step // each + 1) * each)
            pieces.append((step // each, step % each, tile, end - step))
            step = end
    table(36 + processors * pitch + 62, "shared out by steps", pieces, each)
    return picture


PICTURES = {"gemm-thread-tile": thread_tile, "gemm-lanes": lanes, "gemm-steps": steps_shared_out}
