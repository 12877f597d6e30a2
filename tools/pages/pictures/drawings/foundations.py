"""Pictures of chapters 10 and later: what many threads arrive at together."""

from svg import Picture

from .parts import bars, bracket, cell, empty, note


def reduction_tree(phone=False):
    numbers = [3, 1, 7, 0, 4, 1, 6, 3]
    begin, left, step, size = (6, 116, 30, 26) if phone else (20, 190, 62, 46)
    height, gap = 26, 44
    picture = Picture(
        360 if phone else 720, 260, "A tree of partial sums",
        "Eight numbers, 3 1 7 0 4 1 6 3. Each of four threads adds the number four further on: 7 2 13 3. Two threads add "
        "the one two further on: 20 5. One adds the last: 25. Empty cells are threads that only wait.",
    )  # fmt: skip
    y, half = 16, len(numbers)
    picture.text(begin, y + 17, "x", "ink", "start", "bold")
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
        note(picture, begin, y + height + gap / 2 + 4, f"t < {half}: adds t + {half}")
        for place in range(half):
            for source in (place + half, place):
                picture.line(left + source * step + size / 2, y + height + 1, left + place * step + size / 2,
                             y + height + gap - 1, "a", 2 if source == place else 1.2)  # fmt: skip
        numbers = [numbers[t] + numbers[t + half] if t < half else 0 for t in range(len(numbers))]
        y += height + gap
    return picture


def four_shuffles(phone=False):
    left, step, size, gap = (8, 43.5, 38, 34) if phone else (214, 62, 46, 34)
    lanes, begin = 8, 8 if phone else 20
    functions = [
        ("__shfl_sync(mask, v, 3, 8)", "lane 3 of the group", lambda lane: 3),
        ("__shfl_up_sync(mask, v, 1, 8)", "the lane one below", lambda lane: max(lane - 1, 0)),
        ("__shfl_down_sync(mask, v, 1, 8)", "the lane one above", lambda lane: min(lane + 1, lanes - 1)),
        ("__shfl_xor_sync(mask, v, 1, 8)", "the other one of the pair", lambda lane: lane ^ 1),
    ]
    picture = Picture(
        *((360, 556) if phone else (720, 460)), "The four shuffles in a group of eight lanes",
        "Eight lanes hold their own numbers, 0 to 7. By __shfl_sync with source 3 all get 3. By __shfl_up_sync they get "
        "0 0 1 2 3 4 5 6, by __shfl_down_sync 1 2 3 4 5 6 7 7, by __shfl_xor_sync 1 0 3 2 5 4 7 6. Lanes that get their "
        "own number since nobody is so far away are pale.",
    )  # fmt: skip
    y = 14
    for function, meaning, source_of in functions:
        if phone:
            picture.text(begin, y + 8, function, "ink", "start", "bold", small=True)
            y += 18
        else:
            picture.text(begin, y + 17, function, "ink", "start", small=True)
            note(picture, begin, y + 58, meaning)
        for lane in range(lanes):
            cell(picture, left + lane * step, y, size, 26, "c", str(lane))
        for lane in range(lanes):
            source = source_of(lane)
            picture.line(left + source * step + size / 2, y + 27, left + lane * step + size / 2, y + 26 + gap, "a", 1.4,
                         arrow=True)  # fmt: skip
        for lane in range(lanes):
            source = source_of(lane)
            cell(picture, left + lane * step, y + 28 + gap, size, 26, "a", str(source),
                 pale=source == lane != 3)  # fmt: skip
        y += 54 + gap + (28 if phone else 24)
    return picture


def stencil_points(phone=False):
    weights = [0.01, 0.05, 0.01, 0.04, -0.02]
    radius = len(weights) - 1
    beyond = 0 if phone else 2  # points on either side that have no part in it
    left, step = (26, 36.5) if phone else (56, 50)
    height, top, bottom = 26, 40, 128
    picture = Picture(
        360 if phone else 720, 176, "A point's new value, from nine old ones",
        "A row of x, and below it a row of y. Nine points of x, from i - 4 to i + 4, lead to one point of y, number i, each "
        "with its weight: 0.01 in the middle, then 0.05, 0.01, 0.04 and -0.02 on both sides.",
    )  # fmt: skip
    begin = 4 if phone else 20
    picture.text(begin, top + 18, "x", "ink", "start", "bold")
    picture.text(begin, bottom + 18, "y", "ink", "start", "bold")
    middle = left + (radius + beyond + 0.5) * step
    for k in range(-radius - beyond, radius + beyond + 1):
        x = left + (k + radius + beyond) * step
        if abs(k) > radius:
            empty(picture, x, top, step, height)
        else:
            name = f"i{'−' if k < 0 else '+'}{abs(k)}" if k else "i"
            cell(picture, x, top, step, height, "a", name)
            picture.text(x + step / 2, top - 8, f"{weights[abs(k)]:g}".replace("-", "−"), "ink", small=True)
            picture.line(x + step / 2, top + height, middle + k * 3, bottom - 1, "a", 1.4)
        if k:
            empty(picture, x, bottom, step, height)
        else:
            cell(picture, x, bottom, step, height, "a", "i", pale=False)
    return picture


def stencil_sweeps(phone=False):
    """Two warps and what each still knows after each sweep. A cell is four points: a sweep's reach."""
    sweeps, held = 4, 20
    kept = held - 2 * sweeps
    begin, left, step = (6, 57, 9.3) if phone else (20, 84, 19.4)
    height, pitch, below = 16, 26, 172
    picture = Picture(
        *((360, 470) if phone else (720, 456)), "Four sweeps in one kernel, by two warps",
        "Two warps hold twenty cells each, a cell being four points. With each sweep a warp's outermost cells are no longer "
        "known: twenty cells, then eighteen, sixteen, fourteen, and twelve after four sweeps. The warps overlap by eight "
        "cells, so that the twelve that each one keeps are side by side.",
    )  # fmt: skip

    def row(y, label, first, knows, colour):
        note(picture, begin, y + 12, label, colour="ink")
        for k in range(held):
            x = left + (first + k) * step
            if knows <= k < held - knows:
                cell(picture, x, y, step, height, colour, pale=knows < sweeps)
                if knows == sweeps:
                    picture.line(x, y, x, y + height, "white")
            else:
                empty(picture, x, y, step, height)

    def warp(top, number, colour):
        first = number * kept
        x = left + first * step
        bracket(picture, x, x + held * step, top + 22, f"warp {number} loads {held} cells", tick=4)
        for sweep in range(sweeps + 1):
            row(top + 30 + sweep * pitch, f"sweep {sweep}" if sweep else "loaded", first, sweep, colour)
        for sweep in range(sweeps):  # whom the first cell that is still known has been made of
            target = left + (first + sweep + 1.5) * step
            for source in (-1, 0, 1):
                picture.line(target + source * step, top + 30 + sweep * pitch + height, target,
                             top + 30 + (sweep + 1) * pitch, colour, 1.2)  # fmt: skip

    for number, colour in enumerate("ab"):
        warp(8 + number * below, number, colour)
    top = 8 + 2 * below
    for number, colour in enumerate("ab"):
        for k in range(kept):
            x = left + (sweeps + number * kept + k) * step
            cell(picture, x, top + 22, step, height, colour, pale=False)
            picture.line(x, top + 22, x, top + 22 + height, "white")
    note(picture, begin, top + 34, "y", colour="ink")
    for number in range(2):
        x = left + (sweeps + number * kept) * step
        picture.text(x + kept * step / 2, top + 16, f"of warp {number}: {kept}", "ink", small=True)
    notes = ("A cell is four points, as far as a sweep reaches.", "Coloured: what a warp knows. Empty: what it no",
             "longer knows, since its neighbours are another's.")  # fmt: skip
    wide = ("A cell is four points, as far as a sweep reaches. Coloured: what a warp knows.",
            "Empty: what it no longer knows, since its neighbours are another warp's.")  # fmt: skip
    note(picture, begin, top + 64, *(notes if phone else wide))
    return picture


def memory_journeys(phone=False):
    """What crosses the bus when, in both of its directions. The kernel is drawn larger than it is."""
    kernel = 0.8
    x, y = (0, 10, "a", "x"), (10 + kernel, 20 + kernel, "b", "y")

    def later(piece, by):
        return (piece[0] + by, piece[1] + by, *piece[2:])

    def waits(until):
        return (0, until, "", "")

    ways = [
        ("pinned: copy, compute, copy", [x], [waits(10 + kernel), y], 10),
        ("mapped: both at the same time", [x], [waits(kernel), later(y, -10)], None),
        ("managed, prefetched: y goes there, too", [x, (10, 20, "faint", "y as it was")],
         [waits(20 + kernel), later(y, 10)], 20),
    ]  # fmt: skip
    begin, left, scale = (6, 50, 9.8) if phone else (20, 84, 19.8)
    height, pitch = 22, 96
    picture = Picture(
        360 if phone else 720, 18 + pitch * len(ways), "Three journeys, and what the bus carries when",
        "Time runs to the right; each way has a row for the way there and one for the way back. Pinned: first x there, then "
        "the kernel, then y back, one after the other. Mapped: x there and y back at the same time, in half of the time. "
        "Managed and prefetched: x there, then y as it was there, then the kernel, then y back, in one and a half times "
        "the time.",
    )  # fmt: skip
    for index, (name, there, back, compute) in enumerate(ways):
        top_of_way = 24 + pitch * index
        picture.text(begin, top_of_way, name, "ink", "start", "bold")
        for row, (label, pieces) in enumerate((("there", there), ("back", back))):
            top = top_of_way + 10 + row * (height + 4)
            note(picture, begin, top + height / 2 + 4, label, colour="ink")
            bars(picture, left, top, height, scale, pieces)
        if compute is not None:
            cell(picture, left + scale * compute, top_of_way + 10, scale * kernel, height, "c", pale=False)
    return picture


PICTURES = {
    "reduction-tree": reduction_tree,
    "stencil-points": stencil_points,
    "stencil-sweeps": stencil_sweeps,
    "four-shuffles": four_shuffles,
    "memory-journeys": memory_journeys,
}
