"""The picture of chapter 26: rows, or equal shares of the elements."""

from svg import Picture

from .parts import cell, empty, heading, note

LENGTHS = (2, 1, 0, 7, 2)
SHARE = 3
COLOURS = "abcd"


def shares(phone=False):
    """The elements of five rows, first given to a thread per row, then cut into equal shares."""
    left, size, right, top = (58, 30, 352, 52) if phone else (150, 44, 702, 52)
    height, gap = 22, 8
    panel = len(LENGTHS) * (height + gap) + 44
    picture = Picture(
        360 if phone else 720, top + 2 * panel - 12, "Rows, and equal shares of the elements",
        "Five rows with 2, 1, 0, 7 and 2 elements, drawn twice. With a thread per row, four threads have little to do while "
        "one takes seven steps. Cut into shares of three, in the order in which they are stored, the twelve elements take "
        "four threads three steps; three threads have a part of the row with seven.",
    )  # fmt: skip

    def rows(y, colour_of, label_of):
        element = 0
        for row, length in enumerate(LENGTHS):
            at = y + row * (height + gap)
            picture.text(left - 10, at + 15, f"row {row}", "faint", "end", small=True)
            if length == 0:
                empty(picture, left, at, 6, height)
            for k in range(length):
                cell(picture, left + k * size, at, size - 3, height, colour_of(row, element), label_of(row, element, k))
                element += 1

    start = 6 if phone else 20
    heading(picture, start, top - 22, "A thread per row", f"{max(LENGTHS)} steps", right)
    rows(top, lambda row, _: "b" if LENGTHS[row] == max(LENGTHS) else "a", lambda row, element, k: str(k))
    base = top + panel
    heading(picture, start, base - 22, f"{SHARE} elements per thread", f"{SHARE} steps", right)
    rows(base, lambda _, element: COLOURS[element // SHARE], lambda row, element, k: str(element % SHARE))
    note(picture, start, base + panel - 34, "A number is the step in which the element is read.")
    return picture


PICTURES = {"sparse-shares": shares}
