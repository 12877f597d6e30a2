"""Pictures of how threads share: constant memory, tiles, barriers, banks, shuffles."""

from access_banks import Group
from svg import Picture

from .parts import bars, cell, empty, heading, note

WARP = 32


def warp_row(picture, left, top, step, size=20):
    """The lanes' numbers over what follows; where they are close only some."""
    if left > 30:
        picture.text(left - 8, top + 4, "lane", "faint", "end", small=True)
    for lane in range(0, WARP, 1 if step > 16 else 5):
        picture.text(left + lane * step + size / 2, top + 4, str(lane), "faint", small=True)


def turns(wanted):
    """The words that lanes want of the constant cache, one a turn: which lanes each turn serves."""
    return [[lane for lane, word in enumerate(wanted) if word == now] for now in sorted(set(wanted))]


def constant_broadcast(phone=False):
    left, step, right = (48, 9.5, 352) if phone else (62, 20, 702)
    words, wide = (8, 38) if phone else (16, 40)
    picture = Picture(
        *((360, 456) if phone else (720, 420)), "Constant memory: one word for a warp, or one word after the other",
        "Above, all 32 lanes want the same word x(5) of the constant cache, and one turn serves them all. Below, each "
        "lane wants a word of its own: 32 turns, each of which serves one lane while 31 wait.",
    )  # fmt: skip
    same, own = turns([5] * WARP), turns(range(WARP))

    heading(picture, 20, 24, "All lanes want the same word", f"{len(same)} turn", right)
    picture.text(left - 8, 55, "cache", "faint", "end", small=True)
    for word in range(words):
        x = left + word * wide
        if word == 5:
            cell(picture, x, 40, wide, 22, "a", f"x({word})", pale=False)
        else:
            empty(picture, x, 40, wide, 22)
            picture.text(x + wide / 2, 55, f"x({word})", "faint", small=True)
    for lane in range(WARP):
        x = left + lane * step + step / 2
        picture.line(left + 5.5 * wide, 62, x, 122, "a", 0.9)
        cell(picture, left + lane * step, 122, step, 20, "a", pale=False)
        picture.line(left + lane * step, 122, left + lane * step, 142, "white")
    warp_row(picture, left, 156, step)

    heading(picture, 20, 204, "Each lane wants a word of its own", f"{len(own)} turns", right)
    warp_row(picture, left, 226, step)
    y = 236
    for turn, lanes in enumerate(own):
        if 5 <= turn < WARP - 1:
            continue
        if turn == WARP - 1:
            for k in range(3):
                picture.rect(left + 16 * step - 1, y + 5 + 7 * k, 2.5, 2.5, "faint")
            y += 28
        picture.text(left - 8, y + 14, f"x({turn})", "faint", "end", small=True)
        for lane in range(WARP):
            if lane in lanes:
                cell(picture, left + lane * step, y, step, 20, "b", pale=False)
            elif lane < turn:
                picture.rect(left + lane * step, y, step, 20, "faint", pale=True)
                empty(picture, left + lane * step, y, step, 20)
            else:
                empty(picture, left + lane * step, y, step, 20)
        y += 22
    notes = ("A row is a turn of the cache. Coloured:", "the lane that this turn serves.",
             "Grey: served already. Empty: waits.")  # fmt: skip
    note(picture, left, y + 18, *(notes if phone else [" ".join(notes)]))
    return picture


def shared_tile(phone=False):
    tile, now = 128, 1
    left, step, size = (104, 51, 48) if phone else (132, 72, 60)
    names = [0, 1, 2, *([] if phone else [3, 4, 5]), "…", tile - 1]
    picture = Picture(
        *((360, 492) if phone else (720, 452)), "A block reads a tile of x together",
        "x in global memory is cut into tiles of 128 elements. Each of the block's 128 threads fetches one element "
        "of the tile into shared memory. Behind a barrier each thread reads the whole tile there. Behind a second "
        "barrier the next tile takes its place.",
    )  # fmt: skip
    x_of = [left + k * step for k in range(len(names))]
    middle = [x + size / 2 for x, name in zip(x_of, names) if name != "…"]
    right, begin = x_of[-1] + size, 6 if phone else 20

    def row(y, colour, text_of, label, pale=True):
        note(picture, begin, y + 16, label)
        for x, name in zip(x_of, names):
            if name == "…":
                picture.text(x + size / 2, y + 16, "…", "faint")
            else:
                cell(picture, x, y, size, 24, colour, text_of(name), pale, small=False)

    def barrier(y):
        picture.text(begin, y + 4, "barrier", "ink", "start", "bold")
        picture.line(begin + 64, y, right, y, "ink", 2.4)

    def element(name):
        return f"x({tile * now + name})"

    heading(picture, begin, 24, f"x in global memory, in tiles of {tile} elements")
    wide = (right - begin) / 5
    for number in range(5):
        x = begin + number * wide
        if number == now:
            cell(picture, x, 36, wide, 24, "a", f"tile {number}", pale=False, small=False)
        else:
            empty(picture, x, 36, wide, 24)
            picture.text(x + wide / 2, 52, f"tile {number}" if number < 4 else "…", "faint")
    picture.line(begin + now * wide, 60, left, 90, "a")
    picture.line(begin + (now + 1) * wide, 60, right, 90, "a")
    row(90, "a", element, "elements")
    note(picture, begin, 130, "each thread", "fetches one", colour="ink")
    for x in middle:
        picture.line(x, 116, x, 150, "a", 1.6, arrow=True)
        picture.line(x, 184, x, 202, "a", 1.6, arrow=True)
    row(158, "ink", str, "thread")
    row(210, "a", element, "x_tile, shared", pale=False)
    barrier(256)
    note(picture, begin, 302, "each thread", "reads all", colour="ink")
    for source in middle:
        for target in middle:
            picture.line(source, 266, target, 358, "c", 0.9)
    row(360, "ink", str, "thread")
    barrier(406)
    notes = ("Then the next tile.", "Of each tile a thread loads one element",
             f"from global memory, and uses all {tile}.")  # fmt: skip
    note(picture, begin, 436, *(notes if phone else [" ".join(notes)]))
    return picture


def shared_barriers(phone=False):
    height, warps = 18, 4
    left, scale = (54, 0.69) if phone else (76, 1.4)
    fetching, using, fetching_next = ("fetch", "use", "next") if phone else ("fetch tile 0", "use tile 0", "fetch 1")
    fetch, use, again = (62, 84, 70, 150), (150, 120, 138, 190), (62, 84, 70, 80)
    picture = Picture(
        *((360, 530) if phone else (720, 512)), "Two barriers a tile, and what happens without one of them",
        "Time lines of the four warps of a block. With both barriers no warp uses a tile before all have fetched, and "
        "none fetches the next before all have used this one. Without the first, fast warps use elements that are not "
        "there yet. Without the second, they overwrite elements that others still read.",
    )  # fmt: skip

    def scene(top, title, first=True, second=True, mistake=""):
        if phone:  # on two lines
            name, _, title = title.partition(": ")
            heading(picture, 6, top - 18, f"{name}:")
        heading(picture, 6 if phone else 20, top, title)
        met, bottom = max(fetch), top + 12 + warps * (height + 8)
        starts = [met if first else f for f in fetch]
        used = [start + u for start, u in zip(starts, use)]
        goes = [max(used) if second else u for u in used]
        if mistake:
            begin, end = (min(goes), max(used)) if first else (min(starts), met)
            x, width = left + scale * begin, scale * (end - begin)
            picture.rect(x, top + 10, width, bottom - top - 6, "b", pale=True)
            picture.frame(x, top + 10, width, bottom - top - 6, "b", 2)
            picture.text(x + width / 2, bottom + 18, mistake, "ink", small=True)
        for present, at in ((first, met), (second, max(used))):
            if present:
                x = left + scale * at
                picture.line(x, top + 10, x, bottom + 4, "ink", 2.4)
                picture.text(x, bottom + 18, "barrier", "ink", small=True)
        for warp in range(warps):
            y = top + 16 + warp * (height + 8)
            note(picture, left - 10, y + 13, f"warp {warp}", anchor="end")
            bars(picture, left, y, height, scale,
                 [(0, fetch[warp], "a", fetching), (fetch[warp], starts[warp], "", ""),
                  (starts[warp], used[warp], "c", using), (used[warp], goes[warp], "", ""),
                  (goes[warp], goes[warp] + again[warp], "a", fetching_next)])  # fmt: skip

    lower = 18 if phone else 0
    scene(24 + lower, "Both barriers: all wait for the slowest")
    scene(192 + lower, "Without the first: warps use what warp 3 has not fetched yet", first=False,
          mistake="used before it is there")  # fmt: skip
    scene(360 + lower, "Without the second: warps overwrite what warp 3 still uses", second=False,
          mistake="overwritten while it is read")  # fmt: skip
    return picture


def bank_conflicts(phone=False):
    flat, low = 18, 5
    left, step, begin, end = (42, 9.7, 6, 352) if phone else (62, 20, 20, 702)
    cases = (
        ("Neighbours: lane t wants word t", lambda t: t),
        ("One word for all: every lane wants word 5", lambda t: 5),
        ("Every other word: lane t wants word 2 t", lambda t: 2 * t),
        ("A column of a tile with rows of 32 words: lane t wants word 32 t + 5", lambda t: WARP * t + 5),
        ("The same column with rows of 33 words: lane t wants word 33 t + 5", lambda t: (WARP + 1) * t + 5),
    )
    picture = Picture(
        *((360, 676) if phone else (720, 576)), "What 32 lanes ask of the 32 banks of shared memory",
        "Four accesses of a warp, each word drawn on its bank. Neighbouring words are in 32 banks: one wavefront. One "
        "word for all lanes: one wavefront. Every other word: two words in every second bank, two wavefronts. A column "
        "of a tile whose rows have 32 words: all 32 words in one bank, 32 wavefronts. With rows of 33 words: 32 banks "
        "again, one wavefront.",
    )  # fmt: skip
    y = 24
    for title, word_of in cases:
        group = Group({lane: 4 * word_of(lane) for lane in range(WARP)}, 4)
        taken = group.wavefronts
        said = f"{taken} wavefront{'s' if taken > 1 else ''}"
        if phone:  # what it is, over what lanes want, and how long that takes
            kind, wanted = title.split(": ")
            heading(picture, begin, y, kind)
            y += 18
            note(picture, begin, y, wanted, colour="ink")
            picture.text(end, y, said, "ink", "end", "bold")
        else:
            heading(picture, begin, y, title, said, end)
        size = flat if taken <= 4 else low
        base = y + 14 + taken * size
        for bank in range(WARP):
            x = left + bank * step
            words = sorted(word for word in group.words if word % WARP == bank)
            for level, word in enumerate(words):
                lanes = group.cells[word]
                label = "" if size == low or phone else str(lanes[0]) if len(lanes) == 1 else "all"
                cell(picture, x, base - (level + 1) * size, step, size, "a" if taken == 1 else "b", label)
            if not words:
                picture.line(x + 4, base, x + step - 4, base, "line")
            if not phone or bank % 5 == 0:
                picture.text(x + step / 2, base + 15, str(bank), "faint", small=True)
        if len(group.cells) == 1:
            note(picture, left + 6 * step + 8, base - 5, "wanted by all 32 lanes, delivered once", colour="ink")
        elif size == low:
            note(picture, left + 6 * step + 10, base - taken * size + 14, "32 words, all of them in bank 5:",
                 "a word a wavefront", colour="ink")  # fmt: skip
        if size == flat and not phone:
            note(picture, left - 8, base - taken * flat / 2 + 4, "lane", anchor="end")
        note(picture, left - 8, base + 15, "bank", anchor="end")
        y = base + 48
    return picture


def bank_padding(phone=False):
    cell_size, column = 9, 5
    panels = ((20, WARP, 78), (20, WARP + 1, 462)) if phone else ((40, WARP, 78), (384, WARP + 1, 78))
    picture = Picture(
        *((360, 858) if phone else (720, 440)), "One unused word at the end of a row takes a column apart",
        "A tile of 32 by 32 words in shared memory, twice; all words of bank 5 are marked. With rows of 32 words they "
        "are one column, so reading the column takes 32 wavefronts. With rows of 33 words they are on a diagonal, and "
        "a column has one word in each bank: one wavefront.",
    )  # fmt: skip
    for left, width, top in panels:
        group = Group({t: 4 * (width * t + column) for t in range(WARP)}, 4)
        taken = group.wavefronts
        heading(picture, left, top - 54, f"Rows of {width} words")
        picture.text(left, top - 32, f"column {column} is in {sum(count > 0 for count in group.load)} "
                     f"bank{'' if taken == WARP else 's'}: {taken} wavefront{'s' if taken > 1 else ''}",
                     "ink", "start")  # fmt: skip
        if width > WARP:
            picture.rect(left + WARP * cell_size, top, cell_size, WARP * cell_size, "faint", pale=True)
        for row in range(WARP):
            for col in range(width):
                if (row * width + col) % WARP == column:
                    picture.rect(left + col * cell_size, top + row * cell_size, cell_size, cell_size, "b")
        for k in range(1, WARP):
            picture.line(left, top + k * cell_size, left + width * cell_size, top + k * cell_size, "line", 0.6)
        for k in range(1, width):
            picture.line(left + k * cell_size, top, left + k * cell_size, top + WARP * cell_size, "line", 0.6)
        picture.frame(left, top, width * cell_size, WARP * cell_size, "faint", 1.2)
        picture.frame(left + column * cell_size - 1, top - 3, cell_size + 2, WARP * cell_size + 6, "a", 2.4)
        picture.text(left + (column + 0.5) * cell_size, top - 9, f"column {column}", "a", small=True)
    left, bottom = panels[1][0], top + WARP * cell_size
    picture.text(left + 33 * cell_size, top - 9, "unused", "faint", "end", small=True)
    x, below = panels[0][0], 17 if phone else 0
    bank = ("a word of bank 5: its number, counted", "row after row, is 5 modulo 32")
    picture.rect(x, bottom + 24, 12, 12, "b")
    note(picture, x + 20, bottom + 34, *(bank if phone else [" ".join(bank)]))
    picture.frame(x, bottom + below + 46, 12, 12, "a", 2.4)
    together = ("what the 32 lanes read together:", "element 5 of every row")
    note(picture, x + 20, bottom + below + 56, *(together if phone else [" ".join(together)]))
    return picture


def shuffle_broadcast(phone=False):
    left, step, size = (60, 59, 52) if phone else (96, 76, 58)
    names = [0, 1, 2, *([] if phone else [3, 4, 5]), "…", 31]
    begin, end = 6 if phone else 20, left + (len(names) - 1) * step + size
    picture = Picture(
        *((360, 546) if phone else (720, 488)), "At step j lane j gives its element of x to all lanes",
        "The 32 lanes of a warp have loaded an element of x each, x(0) to x(31), with one request. At step 0 lane 0's "
        "element goes to all lanes, at step 1 lane 1's, at step 31 lane 31's.",
    )  # fmt: skip

    def row(y, label, colour, text_of, strong=None):
        note(picture, left - (6 if phone else 12), y + 16, label, anchor="end")
        for k, lane in enumerate(names):
            x = left + k * step
            if lane == "…":
                picture.text(x + size / 2, y + 16, "…", "faint")
            elif colour:
                cell(picture, x, y, size, 24, colour, text_of(lane), pale=lane != strong, small=False)
            else:
                picture.text(x + size / 2, y + 16, text_of(lane), "faint", small=True)

    words = "One load for all: 32 neighbours, 4 sectors" + ("" if phone else ", one element per lane")
    heading(picture, begin, 24, words)
    row(34, "lane", "", str)
    row(60, "x_lane", "a", lambda lane: f"x({lane})")
    y = 122
    for source in (0, 1, 31):
        call = f"__shfl_sync(0xFFFFFFFF, x_lane, {source})"
        heading(picture, begin, y, f"Step {source}", "" if phone else call, end)
        if phone:
            y += 18
            note(picture, begin, y, call, colour="ink")
        row(y + 14, "x_lane", "a", lambda lane: f"x({lane})", source)
        start = left + names.index(source) * step + size / 2
        for k, lane in enumerate(names):
            if lane != "…":
                picture.line(start, y + 38, left + k * step + size / 2, y + 70, "a", 1.4, arrow=True)
        row(y + 76, "all get", "a", lambda lane, j=source: f"x({j})")
        y += 128
    return picture


def shuffle_xor(phone=False):
    left, step, size, gap = (8, 10.7, 10, 66) if phone else (92, 19, 18, 44)
    picture = Picture(
        *((360, 570) if phone else (720, 436)), "Adding 32 numbers up in five steps",
        "The 32 lanes of a warp, six rows of them. From row to row each lane adds what the lane at distance 16, then "
        "8, 4, 2 and 1 has. A cell says how many of the 32 first numbers its sum holds: 1, 2, 4, 8, 16 and 32. The way "
        "into lane 0 is marked.",
    )  # fmt: skip
    sums, distances = [{lane} for lane in range(WARP)], (16, 8, 4, 2, 1)
    need = [{0}]  # whose sums lane 0 needs, row by row from below
    for distance in reversed(distances):
        need.insert(0, {lane ^ d for lane in need[0] for d in (0, distance)})
    y = 44
    warp_row(picture, left, 26, step, size)
    for index in range(len(distances) + 1):
        for lane in range(WARP):
            wanted = lane in need[index]
            x = left + lane * step
            if wanted:
                cell(picture, x, y, size, 20, "a", "" if phone else str(len(sums[lane])))
            else:
                empty(picture, x, y, size, 20)
            if not wanted and not phone:
                picture.text(x + size / 2, y + 14, str(len(sums[lane])), "faint", small=True)
        if phone:
            note(picture, left, y + 34, f"{len(sums[0])} number{'s' if index else ''} in each sum", colour="ink")
        if index == len(distances):
            break
        distance = distances[index]
        if phone:
            picture.text(352, y + 34, f"lane XOR {distance}", "ink", "end", small=True)
        else:
            note(picture, 20, y + 38, f"lane XOR {distance}")
        lines = [(lane, lane ^ d) for lane in range(WARP) for d in (0, distance)]
        for marked in (False, True):  # the marked ones on top
            for source, target in lines:
                if marked == (target in need[index + 1]):
                    begin, end = (left + lane * step + size / 2 for lane in (source, target))
                    picture.line(begin, y + (42 if phone else 21), end, y + 20 + gap - 1, "a" if marked else "line",
                                 2 if marked else 1)  # fmt: skip
        sums = [sums[lane] | sums[lane ^ distance] for lane in range(WARP)]
        y += 20 + gap
    if phone:
        note(picture, left, y + 58, "Marked: what goes into lane 0.", "In the end every lane has the whole sum.")
    else:
        note(picture, left, y + 40, "A cell says how many of the 32 first numbers are in the lane's sum. Marked: what "
             "goes into", "lane 0. In the end every lane has the whole sum.")  # fmt: skip
    return picture


PICTURES = {
    "constant-broadcast": constant_broadcast,
    "shared-tile": shared_tile,
    "shared-barriers": shared_barriers,
    "bank-conflicts": bank_conflicts,
    "bank-padding": bank_padding,
    "shuffle-broadcast": shuffle_broadcast,
    "shuffle-xor": shuffle_xor,
}
