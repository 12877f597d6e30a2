"""Pictures of threads: grid, block and warp, rows and columns; with those of where they read (walks, memories)."""

from drawings import memories, walks
from svg import Picture

WARP = 32


def cell(picture, x, y, size, colour, text="", height=None):
    """A filled cell with a word on it."""
    high = height or size
    picture.rect(x, y, size, high, colour)
    if text:
        picture.text(x + size / 2, y + high / 2 + 4, text, "white", small=True, weight="bold")


def zoom(picture, above, below, top, bottom, colour):
    """The stretch between the edges `above` is drawn wider between the edges `below`."""
    (x1, x2), (x3, x4) = above, below
    corners = f"M{x1:g} {top:g}L{x2:g} {top:g}L{x4:g} {bottom:g}L{x3:g} {bottom:g}Z"
    picture.add(f'<path d="{corners}" class="{colour} veil"/>')


def grid_block_warp(phone=False):
    """One strip below the other, each wider than the one above: elements, grid, block, warp, a thread."""
    n, blocks, threads, block, lane, warp = 900, 4, 256, 1, 5, 2
    left, width = (6, 348) if phone else (112, 592)
    thread = warp * WARP + lane
    element = block * threads + thread
    picture = Picture(
        *((360, 588) if phone else (720, 412)), "From the grid to the element of a thread",
        f"{n} elements need {blocks} blocks of {threads} threads. Block {block} is {threads // WARP} warps of {WARP} "
        f"lanes. Lane {lane} of its warp {warp} is thread {thread} of the block and works on element {block} · "
        f"{threads} + {thread} = {element}. The last {blocks * threads - n} threads of the last block have no element.",
        ".veil{fill-opacity:.12}.dashed{stroke-dasharray:4 3}",
    )  # fmt: skip

    def label(y, word, explained):
        """What a strip is: left of it, on a phone above it."""
        if phone:
            picture.text(left, y - 26, word, "ink", "start", "bold")
            picture.text(left + 8 * len(word) + 8, y - 26, explained, "faint", "start", small=True)
            return
        picture.text(20, y, word, "ink", "start", "bold")
        picture.text(20, y + 17, explained, "faint", "start", small=True)

    scale = width / (blocks * threads)
    y = 56 if phone else 40
    label(y + (-2 if phone else 12), "elements", f"n = {n}")
    picture.rect(left, y, n * scale, 26, "c", pale=True)
    picture.frame(left, y, n * scale, 26, "c", 1.4)
    for k in range(blocks):
        x = left + k * threads * scale
        picture.line(x, y - 4, x, y + 26, "c", 1.4)
        picture.text(x + 2, y - 10, str(k * threads), "faint", "start" if k else "middle", small=True)
    if not phone:
        picture.text(left + n * scale - 2, y - 10, f"{n - 1}", "faint", "end", small=True)
    at = left + (element + 0.5) * scale
    picture.rect(at - 2, y, 4, 26, "a")
    picture.text(at, y + (39 if phone else -10), str(element), "a", weight="bold")

    y = 122 if phone else 82
    label(y + 18, "grid", f"{blocks} blocks")
    for k in range(blocks):
        x, wide = left + k * threads * scale, threads * scale
        picture.frame(x + 2, y, wide - 4, 40, "a" if k == block else "faint", 2 if k == block else 1.2)
        inside = min(n - k * threads, threads) * scale
        picture.text(x + min(inside, wide) / 2, y + 24, f"block {k}", "ink", weight="bold" if k == block else "",
                     small=phone)  # fmt: skip
    x = left + n * scale
    picture.add(f'<path d="M{x:g} {y:g}V{y + 40:g}" class="none b-line dashed" stroke-width="1.6"/>')
    picture.rect(x, y + 1, left + width - 3 - x, 38, "b", pale=True)

    y = 218 if phone else 174
    wide = width / (threads // WARP)
    edges = left + block * threads * scale + 2, left + (block + 1) * threads * scale - 2
    zoom(picture, edges, (left, left + width), 163 if phone else 123, y, "a")
    label(y + 18, f"block {block}", f"{threads} threads")
    for k in range(threads // WARP):
        x = left + k * wide
        picture.frame(x + 2, y, wide - 4, 42, "a" if k == warp else "faint", 2 if k == warp else 1.2)
        picture.text(x + wide / 2, y + 18, str(k) if phone else f"warp {k}", "ink", weight="bold" if k == warp else "")
        words = f"{k * WARP}–" if phone else f"{k * WARP}–{k * WARP + WARP - 1}"
        picture.text(x + wide / 2, y + 34, words, "faint", small=True)

    above, y = (260, 318) if phone else (217, 264)
    side = width / WARP
    zoom(picture, (left + warp * wide + 2, left + (warp + 1) * wide - 2), (left, left + width), above, y, "a")
    label(y + (18 if phone else 10), f"warp {warp}", f"{WARP} lanes")
    for k in range(WARP):
        x = left + k * side
        if k == lane:
            cell(picture, x + 0.5, y, side - 1, "a", str(k), height=24)
        else:
            picture.frame(x + (0.5 if phone else 1), y, side - (1 if phone else 2), 24, "faint", 1)
            if not phone:
                picture.text(x + side / 2, y + 16, str(k), "ink", small=True)
            elif k in (0, WARP - 1):
                picture.text(x + side / 2, y + 40, str(k), "faint", small=True)
    x = left + (lane + 0.5) * side
    picture.line(x, y + 26, x, y + 52, "a", 1.8, arrow=True)
    y = 400 if phone else 338
    label(y + (24 if phone else 0), "a thread", f"lane {lane}")
    y += 24 if phone else 0
    picture.text(left + 8, y, f"threadIdx.x = {warp} · {WARP} + {lane} = {thread}", "ink", "start")
    picture.text(left + 8, y + 34, "element = blockIdx.x * blockDim.x + threadIdx.x", "ink", "start", "bold",
                 small=phone)  # fmt: skip
    picture.text(left + 8, y + 56, f"{element} = {block} * {threads} + {thread}", "a", "start", "bold")
    x, missing = left + 362, blocks * threads - n
    if phone:
        x, y = left + 8, y + 84
    picture.rect(x, y - 11, 14, 14, "b", pale=True)
    picture.frame(x, y - 11, 14, 14, "faint", 1)
    picture.text(x + 22, y, f"threads {n - (blocks - 1) * threads}–{threads - 1} of block {blocks - 1}", "ink", "start")
    picture.text(x + 22, y + 18, f"have no element: {missing} too", "ink", "start")
    picture.text(x + 22, y + 36, "many, for whom the bounds", "ink", "start")
    picture.text(x + 22, y + 54, "check, i < n, is false", "ink", "start")
    return picture


def arc(picture, x1, x2, y, high, colour):
    """An arrow from x1 to x2 under a strip."""
    picture.add(f'<path d="M{x1:g} {y:g}C{x1:g} {y + high:g} {x2:g} {y + high:g} {x2:g} {y + 9:g}" '
                f'class="none {colour}-line" stroke-width="1.8"/>')  # fmt: skip
    picture.add(f'<path d="M{x2:g} {y + 2:g}L{x2 - 4:g} {y + 10:g}L{x2 + 4:g} {y + 10:g}Z" class="{colour}"/>')


def row_column(phone=False):
    nx, ny, ix, iy, high = 6, 4, 2, 1, 38
    side = 42 if phone else 46
    here = iy * nx + ix
    picture = Picture(
        *((360, 592) if phone else (720, 436)), "x runs along a row, y from row to row",
        f"A matrix of {ny} rows and {nx} columns with the place of each element in memory. x, along a row, leads from "
        f"element {here} to {here + 1}, its neighbour in memory. y, from row to row, leads to {here + nx}, nx = {nx} "
        "elements further on. Below, the rows are in memory one after the other.",
    )  # fmt: skip
    left, top = 96, 84
    for row in range(ny):
        for col in range(nx):
            x, y, idx = left + col * side, top + row * high, row * nx + col
            marks = {here: "a", here + 1: "a", here + nx: "c"}
            if idx == here:
                cell(picture, x, y, side, "a", height=high)
            elif idx in marks:
                picture.rect(x, y, side, high, marks[idx], pale=True)
    for k in range(nx + 1):
        picture.line(left + k * side, top, left + k * side, top + ny * high, "faint")
    for k in range(ny + 1):
        picture.line(left, top + k * high, left + nx * side, top + k * high, "faint")
    for row in range(ny):
        picture.text(left - 12, top + row * high + 24, str(row), "c", "end", "bold" if row == iy else "")
        for col in range(nx):
            idx = row * nx + col
            picture.text(left + (col + 0.5) * side, top + row * high + 24, str(idx),
                         "white" if idx == here else "ink", weight="bold")  # fmt: skip
    for col in range(nx):
        picture.text(left + (col + 0.5) * side, top - 10, str(col), "a", weight="bold" if col == ix else "")
    picture.line(left + 4, top - 34, left + nx * side - 4, top - 34, "a", 2, arrow=True)
    picture.text(8 if phone else left, top - 46, "x, ix: along a row, from column to column", "a", "start", "bold")
    picture.line(left - 42, top + 4, left - 42, top + ny * high - 4, "c", 2, arrow=True)
    for k, word in enumerate(("y, iy:", "from", "row to", "row")):
        picture.text(left - 50, top + 54 + 18 * k, word, "c", "end", "bold" if k == 0 else "")

    x = left + nx * side + 28
    at, top = (top, 274) if phone else (top, top)
    x = 8 if phone else x
    picture.text(x, top + 4, "ix = blockIdx.x * blockDim.x + threadIdx.x", "a", "start")
    picture.text(x, top + 28, "iy = blockIdx.y * blockDim.y + threadIdx.y", "c", "start")
    picture.text(x, top + 62, "idx = iy * nx + ix", "ink", "start", "bold")
    picture.text(x, top + 84, f"{here:>3} = {iy} * {nx} + {ix}", "ink", "start")
    picture.text(x, top + 118, f"nx = {nx} columns, the length of a row", "faint", "start", small=True)
    picture.text(x, top + 136, f"ny = {ny} rows", "faint", "start", small=True)
    picture.text(x, top + 154, "Written A(i, j), the row comes first: A(iy, ix).", "faint", "start", small=True)

    left, y, side = (8, 464, 14.3) if phone else (36, 302, 27)
    picture.text(left, y - 14, "The same elements in memory", "ink", "start", "bold")
    for idx in range(nx * ny):
        x = left + idx * side
        if idx == here:
            picture.rect(x, y, side, 30, "a")
        elif idx in (here + 1, here + nx):
            picture.rect(x, y, side, 30, "a" if idx == here + 1 else "c", pale=True)
        picture.line(x, y, x, y + 30, "line" if idx % nx else "faint", 1 if idx % nx else 1.6)
        picture.text(x + side / 2, y + 20, str(idx), "white" if idx == here else "ink", weight="" if phone else "bold",
                     small=phone)  # fmt: skip
    picture.frame(left, y, nx * ny * side, 30, "faint", 1.6)
    start = left + (here + 0.5) * side
    arc(picture, start + 4, start + side, y + 31, 26, "a")
    arc(picture, start - 4, start + nx * side, y + 31, 62, "c")
    if phone:
        picture.text(start - 14, y + 50, "x + 1", "a", "end", "bold")
        picture.text(start + nx * side + 8, y + 50, f"y + 1: {nx} further on", "c", "start", "bold")
    else:
        picture.text(start + side + 12, y + 50, "x + 1", "a", "start", "bold")
        picture.text(start + nx * side + 12, y + 50, f"y + 1: nx = {nx} elements further on", "c", "start", "bold")
    y += 96
    for row in range(ny):
        x1, x2 = left + row * nx * side + 3, left + (row + 1) * nx * side - 3
        picture.line(x1, y, x2, y, "faint", 1.4)
        picture.line(x1, y - 6, x1, y, "faint", 1.4)
        picture.line(x2, y - 6, x2, y, "faint", 1.4)
        picture.text((x1 + x2) / 2, y + 18, f"row {row}", "faint")
    return picture


PICTURES = {"grid-block-warp": grid_block_warp, "row-column": row_column} | walks.PICTURES | memories.PICTURES
