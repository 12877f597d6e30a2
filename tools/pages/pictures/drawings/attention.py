"""The pictures of chapter 28: which tiles of scores there are, and how two warpgroups take turns."""

from svg import Picture

from .parts import bars, cell, empty, note

TILES = 6


def tiles(phone=False):
    left, size = (60, 40) if phone else (250, 44)
    top = 62
    picture = Picture(
        360 if phone else 720, 392, "Tiles of scores",
        "A square of six by six tiles: queries down, keys across. Of causal attention those on the diagonal are masked, those "
        "below are whole, those above are never computed. A block has one row of tiles. It keeps its queries, a maximum, a sum "
        "and its part of O, and goes through the tiles of keys; no tile of scores is ever written to memory.",
    )  # fmt: skip
    note(picture, left + TILES * size / 2, 24, "keys: tiles of K and V come one after the other", anchor="middle", colour="ink")
    for row in range(TILES):
        for col in range(TILES):
            x, y = left + col * size, top + row * size
            if col > row:
                empty(picture, x, y, size - 4, size - 4)
            else:
                cell(picture, x, y, size - 4, size - 4, "c" if row == 3 and col == 1 else "a" if col == row else "b")
    y = top + 3 * size
    picture.line(left - 14, y + size / 2 - 2, left - 4, y + size / 2 - 2, "ink", 1.6, arrow=True)
    if phone:
        note(picture, 4, y + size / 2 - 12, "a", "block", colour="ink")
    else:
        note(picture, left - 22, y + size / 2 - 14, "a block: 128 queries,", "maximum, sum, part of O", anchor="end", colour="ink")
    bottom = top + TILES * size + 20
    for k, (colour, text) in enumerate((("b", "whole"), ("a", "masked in part"), ("c", "in registers now"))):
        x = (8 if phone else left - 40) + k * (104 if phone else 130)
        cell(picture, x, bottom, 14, 14, colour)
        note(picture, x + 20, bottom + 11, text)
    note(picture, left + TILES * size / 2, bottom + 36, "empty: no query sees these keys, so they are skipped", anchor="middle")
    return picture


def turns(phone=False):
    left, scale, height = (8, 37, 26) if phone else (120, 64, 30)
    picture = Picture(
        360 if phone else 720, 250, "Two warpgroups take turns",
        "Time goes to the right. Group 1 starts products, then computes powers while group 2's products run, and so on in turns. "
        "The tensor cores always have the products of one of the two.",
    )  # fmt: skip
    products, powers = ("products", "powers")
    rows = (
        ("group 1", [(0, 2, "a", products), (2, 4, "b", powers), (4, 6, "a", products), (6, 8, "b", powers)]),
        ("group 2", [(0, 2, "", ""), (2, 4, "a", products), (4, 6, "b", powers), (6, 8, "a", products)]),
        ("tensor cores", [(0, 2, "a", "group 1"), (2, 4, "a", "group 2"), (4, 6, "a", "group 1"), (6, 8, "a", "group 2")]),
    )
    for k, (name, pieces) in enumerate(rows):
        y = 40 + 62 * k
        if phone:
            note(picture, left, y - 6, name, colour="ink")
        else:
            note(picture, left - 12, y + height / 2 + 4, name, anchor="end", colour="ink")
        bars(picture, left, y, height, scale, pieces)
    picture.line(left, 226, left + 8 * scale, 226, "faint", 1.2, arrow=True)
    note(picture, left + 8 * scale, 244, "time", anchor="end")
    return picture


PICTURES = {"attention-tiles": tiles, "attention-turns": turns}
