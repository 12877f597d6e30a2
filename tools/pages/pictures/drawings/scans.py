"""Pictures of chapter 23: tiles that tell each other what they know."""

from svg import Picture

from .parts import cell, empty, note


def look_back(phone=False):
    sums = [3, 5, 2, 4, 1, 6, 2, 3]
    known = 3  # tiles whose prefix is known
    left, step, size = (6, 44, 36) if phone else (84, 78, 62)
    height, top = 28, 40
    below = top + height + 54
    picture = Picture(
        360 if phone else 720, 232 if phone else 214, "A tile looks back",
        "Eight tiles. Tiles 0 to 2 have published a prefix: 3, 8, 10. Tiles 3 to 6 have published their own sums: 4, 1, 6, "
        "2. Tile 7 has the sum 3. It adds up 2, 6, 1 and 4 and the prefix 10 of tile 2: 23. It publishes its prefix, 26.",
    )  # fmt: skip
    if not phone:
        picture.text(20, top - 10, "tile", "ink", "start", "bold")
        note(picture, 20, top + 18, "says")
    prefix = 0
    for tile, own in enumerate(sums):
        prefix += own
        x = left + tile * step
        picture.text(x + size / 2, top - 10, str(tile), "ink", "middle", "bold")
        if tile < known:
            cell(picture, x, top, size, height, "a", f"P {prefix}")
        elif tile < len(sums) - 1:
            cell(picture, x, top, size, height, "c", f"A {own}")
        else:
            empty(picture, x, top, size, height)
            picture.text(x + size / 2, top + 18, f"A {own}", "ink", "middle")
    last = left + (len(sums) - 1) * step
    for tile in range(known - 1, len(sums) - 1):
        picture.line(left + tile * step + size / 2, top + height + 2, last + size / 2, below - 2, "a", 1.2, arrow=True)
    wide = 92 if phone else 150
    cell(picture, last + size - wide, below, wide, height, "a", "P 10 + 13 + 3 = 26" if not phone else "P 26", pale=False)
    lines = ["A: what its own elements add up to", "P: a prefix, all elements up to its end",
             "tile 7 stops at the nearest P"]  # fmt: skip
    for k, line in enumerate(lines):
        note(picture, 6 if phone else 20, below + (52 + 18 * k if phone else 18 + 18 * k), line)
    return picture


PICTURES = {"look-back": look_back}
