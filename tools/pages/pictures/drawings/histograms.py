"""Pictures of chapter 24: which bank a lane's counter is in, and a picture in fog, before and after."""

from collections import Counter

from svg import Picture

from .parts import cell, heading, note

BYTES = (3, 11, 3, 6, 19, 0, 11, 5)  # of eight lanes, over eight banks
BANKS = 8


def own_banks(phone=False):
    """The same bytes twice: a counter of each value, then a counter of each value and lane."""
    left, step, size, end = (46, 38, 20, 352) if phone else (120, 66, 22, 702)
    picture = Picture(
        *((360, 316) if phone else (720, 292)), "Counters, and the banks they are in",
        "Eight lanes with the bytes 3, 11, 3, 6, 19, 0, 11 and 5, over eight banks, drawn twice. With one counter for "
        "each value, 3, 11 and 19 are three words of bank 3: three wavefronts. Lanes with the same byte share a word. "
        "With a counter for each value and lane, each lane is in its own bank: one wavefront.",
    )  # fmt: skip

    def row(y, name, entries, colour="faint"):
        picture.text(left - 8, y, name, colour, "end", small=True)
        for bank, entry in enumerate(entries):
            picture.text(left + (bank + 0.5) * step, y, str(entry), colour, small=True)

    def panel(y, title, words):
        taken = max(Counter(bank for bank, _ in words).values())
        heading(picture, 6 if phone else 20, y, title, "" if phone else said(taken), end)
        if phone:
            picture.text(end, y + 18, said(taken), "ink", "end", "bold")
        base = y + 16 + taken * size + (16 if phone else 0)
        for bank in range(BANKS):
            here = [label for at, label in words if at == bank]
            for level, label in enumerate(here):
                cell(picture, left + bank * step + 2, base - (level + 1) * size, step - 4, size,
                     "a" if taken == 1 else "b", label)  # fmt: skip
            if not here:
                picture.line(left + bank * step + 4, base, left + (bank + 1) * step - 4, base)
        row(base + 16, "bank", range(BANKS))

    def said(taken):
        return f"{taken} wavefront{'s' if taken > 1 else ''}"

    row(22, "lane", range(BANKS))
    row(40, "byte", BYTES, "ink")
    one = sorted({(byte % BANKS, str(byte)) for byte in BYTES}, key=lambda word: int(word[1]))
    panel(74, "A counter for each value", one)
    own = [(lane, f"{byte}" if phone else f"{byte}, lane {lane}") for lane, byte in enumerate(BYTES)]
    panel(224 if phone else 206, "A counter for each value and lane", own)
    y = 308 if phone else 284
    note(picture, 6 if phone else 20, y, "Lanes with one byte share a counter, and count as one."
         if phone else "Lanes with the same byte share a counter, and count as one.")  # fmt: skip
    return picture


WIDE, TALL = 64, 40


def foggy(x, y):
    """A level of grey; exercises/24a_equalise/check.cpp has the same."""
    level = 118 + y // 5
    if (x - 48) ** 2 + (y - 9) ** 2 < 26:
        level = 131
    if y > 12 + abs(x - 22) * 3 // 4:
        level = 112 - (x + y) % 3
    if y > 20 + abs(x - 50) // 2:
        level = 106 + (0 if x > 50 else 2)
    if y > 33 - (x * 5 % 7) // 3:
        level = 100 + x * y % 4
    return level


def table_of(counts):
    """The new level of each level, as the exercise's handout says."""
    up_to, so_far = {}, 0
    for level in sorted(counts):
        so_far += counts[level]
        up_to[level] = so_far
    lowest = up_to[min(counts)]
    rest = so_far - lowest
    return {level: (255 * (up_to[level] - lowest) + rest // 2) // rest for level in counts}


def equalised(phone=False):
    """The picture of exercise 24a, and what becomes of it."""
    table = table_of(Counter(foggy(x, y) for y in range(TALL) for x in range(WIDE)))
    scale, left, right = (2.5, 12, 188) if phone else (5, 20, 380)
    height = 24 + TALL * scale + 10
    picture = Picture(
        *((360, round(height)) if phone else (720, round(height))), "A picture in fog, before and after",
        "Left, a landscape of 64 by 40 pixels in fog: all levels of grey are from 100 to 131, and little can be seen. "
        "Right, the same picture equalised, from black to white: sky, sun, hills and meadow are told apart.",
    )  # fmt: skip

    def show(x0, title, level_of):
        heading(picture, x0, 16, title)
        shapes = {}  # of each level: runs of pixels along a row
        for y in range(TALL):
            start = 0
            for x in range(1, WIDE + 1):
                if x < WIDE and level_of(x, y) == level_of(start, y):
                    continue
                run = f"M{x0 + start * scale:g} {24 + y * scale:g}h{(x - start) * scale:g}v{scale:g}"
                shapes.setdefault(level_of(start, y), []).append(f"{run}h{(start - x) * scale:g}z")
                start = x
        for grey, runs in sorted(shapes.items()):
            picture.add(f'<path shape-rendering="crispEdges" fill="#{3 * f"{grey:02x}"}" d="{"".join(runs)}"/>')

    show(left, "before", foggy)
    show(right, "after", lambda x, y: table[foggy(x, y)])
    return picture


PICTURES = {"own-banks": own_banks, "equalised": equalised}
