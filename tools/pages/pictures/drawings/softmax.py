"""The picture of chapter 27: the maxima and sums of two parts of a row, and of both together."""

import math

from svg import Picture

from .parts import bracket, cell, note

ROW = (1, 3, 0, 2, 5, 4, 1, 2)


def statistics(part):
    """The maximum, and the sum of the powers of e relative to it."""
    largest = max(part)
    return largest, sum(math.exp(value - largest) for value in part)


def merged(phone=False):
    left, size, height = (8, 43, 26) if phone else (120, 60, 30)
    half = len(ROW) // 2
    picture = Picture(
        360 if phone else 720, 232, "Two parts of a row, merged",
        "A row of eight numbers in two parts. The first, 1 3 0 2, has the maximum 3 and the sum 1.553; the second, 5 4 1 2, "
        "the maximum 5 and the sum 1.436. Together the maximum is 5, and the first sum counts e to the power of minus 2 "
        "times: 1.646.",
    )  # fmt: skip
    top = 30
    for k, value in enumerate(ROW):
        cell(picture, left + k * size, top, size - 4, height, "a" if k < half else "b", str(value))
    parts = [statistics(ROW[:half]), statistics(ROW[half:])]
    whole = statistics(ROW)
    width = half * size - 4
    for k, (largest, total) in enumerate(parts):
        x = left + k * half * size
        bracket(picture, x, x + width, top + height + 10, "", tick=-5)
        cell(picture, x + 6, 84, width - 12, height, "ab"[k], f"max {largest}, sum {total:.3f}")
    first, second = parts
    factor = f"e^({first[0]} − {second[0]})"
    middle = left + half * size - 2
    for k in range(2):
        picture.line(left + k * half * size + width / 2, 84 + height + 2, middle + (2 * k - 1) * 40, 146, "faint", 1.4,
                     arrow=True)  # fmt: skip
    cell(picture, middle - width / 2, 150, width, height, "c", f"max {whole[0]}, sum {whole[1]:.3f}")
    note(picture, middle, 150 + height + 22, f"{first[1]:.3f} · {factor} + {second[1]:.3f} = {whole[1]:.3f}", anchor="middle")
    note(picture, middle, 18, "a row, in two parts", anchor="middle")
    return picture


PICTURES = {"softmax-merged": merged}
