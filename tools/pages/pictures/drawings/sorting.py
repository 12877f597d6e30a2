"""Pictures of chapter 25: what meets what in a sort."""

from svg import Picture

from .parts import cell, note


def network(phone=False):
    keys = [30, 10, 20, 40, 5, 60, 50, 70]
    count = len(keys)
    left, top, height, gap = (44, 52, 26, 12) if phone else (84, 52, 26, 12)
    slot = 24 if phone else 57  # between two comparisons of one step
    picture = Picture(
        360 if phone else 720, top + count * (height + gap) + 26, "A bitonic network for eight keys",
        "Eight keys, 30 10 20 40 5 60 50 70, a line each. In six steps keys meet that are 1; 2, 1; 4, 2, 1 places apart, and "
        "an arrow points to where the larger one goes. After the size 2: 10 30 40 20 5 60 70 50. After 4: 10 20 30 40 70 60 "
        "50 5. After 8: 5 10 20 30 40 50 60 70.",
    )  # fmt: skip

    def middle(i):
        return top + i * (height + gap) + height / 2

    width = 30 if phone else 46
    x = left
    for i in range(count):
        cell(picture, x - width, middle(i) - height / 2, width, height, "c", str(keys[i]))
    begin, lines = x, []
    size = 2
    while size <= count:
        from_x = x
        distance = size // 2
        while distance > 0:
            for group in range(0, count, 2 * distance):
                for i in range(group, group + distance):
                    up = i & size == 0
                    at = x + slot * (0.6 + (i - group if distance > 1 else 0) * 0.5)
                    small, large = (i, i + distance) if up else (i + distance, i)
                    lines.append((at, small, large))
                    if keys[small] > keys[large]:
                        keys[small], keys[large] = keys[large], keys[small]
            x += slot * (1.1 + 0.5 * (distance - 1))
            distance //= 2
        note(picture, from_x + 2, top - 14, f"size {size}")
        size *= 2
    end = x + 6
    for i in range(count):
        picture.line(begin, middle(i), end, middle(i), "c", 1.2)
        cell(picture, end, middle(i) - height / 2, width, height, "a", str(keys[i]))
    for at, small, large in lines:
        picture.line(at, middle(small), at, middle(large), "a", 1.8, arrow=True)
    note(picture, begin - width, top + count * (height + gap) + 12, "an arrow points to where the larger key goes")
    return picture


PICTURES = {
    "bitonic-network": network,
}
