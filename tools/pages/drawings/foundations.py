"""Pictures of chapters 10 and later: what many threads arrive at together."""

from svg import Picture

from .parts import cell, empty, note


def reduction_tree():
    numbers = [3, 1, 7, 0, 4, 1, 6, 3]
    left, step, size, height, gap = 190, 62, 46, 26, 44
    picture = Picture(
        720, 260, "A tree of partial sums",
        "Eight numbers, 3 1 7 0 4 1 6 3. Each of four threads adds the number four further on: 7 2 13 3. Two threads add "
        "the one two further on: 20 5. One adds the last: 25. Empty cells are threads that only wait.",
    )  # fmt: skip
    y, half = 16, len(numbers)
    picture.text(20, y + 17, "x", "ink", "start", "bold")
    while True:
        for place, number in enumerate(numbers):
            x = left + place * step
            if place < half:
                cell(picture, x, y, size, height, "a", str(number))
            else:
                empty(picture, x, y, size, height)
        if half == 1:
            break
        half //= 2
        note(picture, 20, y + height + gap / 2 + 4, f"t < {half}: adds t + {half}")
        for place in range(half):
            for source in (place + half, place):
                picture.line(left + source * step + size / 2, y + height + 1, left + place * step + size / 2,
                             y + height + gap - 1, "a", 2 if source == place else 1.2)  # fmt: skip
        numbers = [numbers[t] + numbers[t + half] if t < half else 0 for t in range(len(numbers))]
        y += height + gap
    return picture


PICTURES = {"reduction-tree": reduction_tree}
