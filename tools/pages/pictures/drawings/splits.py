"""The picture of chapter 29: which of a float's 24 bits each short number has."""

from svg import Picture

from .parts import cell, note

BITS = 24
SPLITS = (("TF32", (11,), "one product"), ("FP16, two parts", (11, 12), "3 products"),
          ("BF16, three parts", (8, 8, 8), "6 products"), ("INT8, four slices", (7, 7, 7, 7), "10 products"))  # fmt: skip


def split(phone=False):
    left, size, height = (8, 11, 22) if phone else (190, 15, 26)
    picture = Picture(
        360 if phone else 720, 340 if phone else 250, "A float's 24 bits, in short numbers",
        "Twenty-four bits in a row. TF32 has the first eleven. Two halves have eleven and, with the sign of the second, twelve: "
        "23. Three numbers of BF16 have eight each: all 24. Four slices of seven bits have 28, counted from the largest number "
        "of a row.",
    )  # fmt: skip
    y = 40
    note(picture, left, 24, "a float's significant bits, the largest first")
    for bit in range(BITS):
        cell(picture, left + bit * size, y, size - 1, height, "a")
    y += height + 26
    for name, parts, products in SPLITS:
        if phone:
            note(picture, left, y - 5, f"{name}: {products}")
        else:
            note(picture, 8, y + height / 2 + 4, name)
            note(picture, left + 28 * size + 8, y + height / 2 + 4, products)
        first = 0
        for part, bits in enumerate(parts):
            cell(picture, left + first * size, y, bits * size - 2, height, "abcd"[part] if part < 3 else "a", str(bits))
            first += bits
        y += height + (36 if phone else 16)
    return picture


PICTURES = {"float-parts": split}
