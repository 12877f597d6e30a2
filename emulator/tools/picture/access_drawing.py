"""Draws what one memory instruction of a warp asks for: sectors of global memory, or banks of shared memory.

access_picture.py is the command. What is drawn is an instruction's `example` in an emulator's report.
"""

import re
import textwrap

from svg import Picture

WARP, SECTOR, LINE, WORD = 32, 32, 128, 4
STYLE = (
    ".ribbon{fill-opacity:.26}.tail{fill-opacity:.13}.dashed{stroke-dasharray:3 2.5}.head{font-size:16px}"
    ".cell{font-size:11px;font-weight:600}.on-b{fill:#000}\n"
)


def spaced(number):
    return f"{number:,}"


def counted(number, thing):
    return f"{spaced(number)} {thing}{'' if number == 1 else 's'}"


def ranges(lanes):
    """Lanes as a person writes them: 0–3, 8."""
    runs = []
    for lane in sorted(lanes):
        if runs and runs[-1][1] == lane - 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)


def shortened(text, characters):
    return text if len(text) <= characters else text[: characters - 1] + "…"


def active_lanes(example):
    """The lanes that take part, each with its first byte."""
    return {lane: at for lane, at in enumerate(example["lanes"]) if at is not None}


class Drawing(Picture):
    """A picture with this family's shapes. Its height grows with what is drawn. `pitch` is that of lanes and banks; for
    a phone it is so small that only some of their numbers have room."""

    def __init__(self, title, description, phone=False):
        self.phone = phone
        self.width, self.left, self.pitch = (360, 55, 9.4) if phone else (860, 74, 24)
        self.right = self.left + WARP * self.pitch
        self.names = self.left - (4 if phone else 12)  # where the names of rows end
        # In the cells of a picture for phones no number has room.
        super().__init__(self.width, 0, title, description, re.sub(r"\.cell{.*?}", "", STYLE) if phone else STYLE)

    def box(self, x, y, width, height, kind, more=""):
        self.add(f'<rect x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" class="{kind}"{more}/>')

    def pips(self, x, y, needed, taken):
        """A box for each sector or wavefront: what was needed, and what came on top. Nothing if they are too many."""
        size, step = (8, 9) if taken <= WARP // 2 else (5, 6) if taken <= WARP else (3, 4)
        for k in range(taken if taken <= 3 * WARP else 0):
            if k < needed:
                self.box(x(taken * step) + k * step, y, size, 12, "a", ' rx="1.5"')
            else:
                self.box(x(taken * step) + k * step + 0.5, y + 0.5, size - 1, 11, "none b-line", ' rx="1.5"')

    def heading(self, verdict, about, pips, label):
        """The verdict; under it what is drawn; on the right, or below, what was needed and what came on top. Gives the
        place where the rest begins."""
        if not self.phone:
            self.pips(lambda wide: self.right - wide + 1, 15, *pips)
            self.text(self.right, 43, label, "faint", "end", small=True)
            self.text(24, 28, verdict, "ink head", "start", "bold")
            for k, line in enumerate(about):
                self.text(24, 49 + 17 * k, line, "faint", "start", small=True)
            return 92
        y = 4
        for line in textwrap.wrap(verdict, 42):
            y += 18
            self.text(8, y, line, "ink", "start", "bold")
        for line in [line for text in about for line in textwrap.wrap(text, 54)]:
            y += 16
            self.text(8, y, line, "faint", "start", small=True)
        if pips[1] <= WARP:
            self.pips(lambda wide: 8, y + 10, *pips)
            y += 14
        y += 20
        self.text(8, y, label, "faint", "start", small=True)
        return y + 34

    def lane_row(self, y, lanes, colour="a"):
        self.text(self.names, y + 16, "lanes", "faint", "end", small=True)
        for lane in range(WARP):
            x = self.left + lane * self.pitch
            inset = 0.5 if self.phone else 1
            if lane in lanes:
                self.box(x + inset, y, self.pitch - 2 * inset, 24, colour, f' rx="{2 if self.phone else 4}"')
            else:
                self.box(x + inset + 0.5, y + 0.5, self.pitch - 2 * inset - 1, 23, "none line-line dashed", ' rx="4"')
            if self.phone:
                if lane % 5 == 0:
                    self.text(x + self.pitch / 2, y - 5, str(lane), "faint", small=True)
            elif lane in lanes:
                self.text(x + self.pitch / 2, y + 16, str(lane), "white cell")
            else:
                self.text(x + self.pitch / 2, y + 16, str(lane), "faint", small=True)

    def legend(self, y, entries):
        """Swatches, each with a few words: (what draws it at x, y and gives its width; words). In a row, on a phone one
        below the other."""
        x = 8 if self.phone else 24
        for swatch, words in entries:
            right = x + swatch(self, x, y - 10) + 7
            lines = textwrap.wrap(words, 50) if self.phone else [words]
            for k, line in enumerate(lines):
                self.text(right, y + 15 * k, line, "faint", "start", small=True)
            if self.phone:
                y += 15 * len(lines) + 5
            else:
                x = right + 5.9 * len(words) + 20
        self.size = (self.width, y + (0 if self.phone else 16))


def joined(lines):
    """Numbers of lines in runs of neighbours."""
    runs = []
    for line in lines:
        if runs and runs[-1][-1] == line - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


class GlobalMemory:
    """Which bytes, sectors and lines an example touches."""

    def __init__(self, example, bytes_a_lane):
        self.lanes = active_lanes(example)
        self.bytes_a_lane = bytes_a_lane
        self.bytes = sorted({at + k for at in self.lanes.values() for k in range(bytes_a_lane)})
        self.sectors = sorted({byte // SECTOR for byte in self.bytes})
        self.lines = sorted({byte // LINE for byte in self.bytes})
        self.ideal = -(-len(self.bytes) // SECTOR)
        # Lanes of an atomic operation that mean one element wait for each other: its sector counts for each of them.
        self.counted = max(len(self.sectors), example.get("sectors", 0))

    def verdict(self):
        share = 100 * len(self.bytes) / (SECTOR * self.counted)
        used = f"{share:.3g} % of the bytes moved are used"
        if self.counted == self.ideal:
            return f"{counted(self.counted, 'sector')}, the fewest possible: {used}"
        why = "lanes mean one element" if self.counted > len(self.sectors) else used
        return f"{counted(self.counted, 'sector')}, {self.ideal} would do: {why}"


FAN = 104  # from the lanes to the memory


def ribbon(drawing, lane, top, bottom, first, last):
    x0, x1 = drawing.left + lane * drawing.pitch + 2, drawing.left + (lane + 1) * drawing.pitch - 2
    if last - first < 1.2:
        first, last = (first + last - 1.2) / 2, (first + last + 1.2) / 2
    middle = (top + bottom) / 2
    drawing.add(
        f'<path d="M{x0:g} {top:g}C{x0:g} {middle:g} {first:.5g} {middle:g} {first:.5g} {bottom:g}H{last:.5g}'
        f'C{last:.5g} {middle:g} {x1:g} {middle:g} {x1:g} {top:g}Z" class="a ribbon"/>'
    )


def within(x, width, first, last):
    """Where bytes first to last of a sector are drawn that has its left edge at x: inside its frame."""
    margin = 3 if width > 16 else 1.5
    scale = (width - 2 * margin) / SECTOR
    return x + margin + first * scale, x + margin + last * scale


def sector_boxes(drawing, memory, line, place):
    """The four sectors of a line; place() gives x, y, width and height of one."""
    for k in range(LINE // SECTOR):
        sector = line * (LINE // SECTOR) + k
        x, y, width, height = place(k)
        touched = sector in memory.sectors
        kind = "sector a pale a-line" if touched else "none line-line"
        drawing.box(x + 1, y, width - 2, height, kind, ' rx="3.5"')
        for first, last in used_stretches(memory, sector):
            left, right = within(x, width, first, last)
            inset = 0.6 if right - left > 4 else 0
            wide = max(right - left - 2 * inset, 1.6)
            drawing.box(left + inset, y + 4.5, wide, height - 9, "used a", ' rx="1.5"' if wide > 4 else "")


def used_stretches(memory, sector):
    """Parts of a sector that are asked for, one for each place a lane starts at."""
    stretches = set()
    for at in memory.lanes.values():
        first, last = max(at, sector * SECTOR), min(at + memory.bytes_a_lane, (sector + 1) * SECTOR)
        if first < last:
            stretches.add((first - sector * SECTOR, last - sector * SECTOR))
    return sorted(stretches)


def lines_in_a_row(drawing, memory, top):
    """A few lines beside each other, to one scale. Returns where they end; 0 if there are too many."""
    runs = joined(memory.lines)
    gap = 60 if drawing.phone else 96
    scale = (WARP * drawing.pitch - gap * (len(runs) - 1)) / (LINE * len(memory.lines))
    if scale < (0.5 if drawing.phone else 0.8):
        return 0
    y, height = top + 24 + FAN, 44
    side = SECTOR * scale
    start, x = {}, drawing.left
    for run in runs:
        for line in run:
            start[line] = x
            x += LINE * scale
        x += gap
    for lane, at in memory.lanes.items():
        left = start[at // LINE] + at % LINE // SECTOR * side
        ribbon(drawing, lane, top + 26, y + 4.5, *within(left, side, at % SECTOR, at % SECTOR + memory.bytes_a_lane))
    drawing.text(drawing.names, y + 20, "global", "faint", "end", small=True)
    drawing.text(drawing.names, y + 34, "memory", "faint", "end", small=True)
    for line in memory.lines:
        sector_boxes(drawing, memory, line, lambda k, x=start[line]: (x + k * side, y, side, height))
        drawing.line(start[line] + 1, y + height + 6, start[line] + 4 * side - 1, y + height + 6, "faint", 1.2)
        drawing.text(start[line] + 1, y + height + 21, f"byte {spaced(line * LINE)}", "faint", "start", small=True)
    for before, after in zip(runs, runs[1:]):
        middle = start[after[0]] - gap / 2
        drawing.text(middle, y + 20, "⋯", "faint")
        drawing.text(middle, y + 35, counted((after[0] - before[-1] - 1) * LINE, "byte"), "faint", small=True)
    return y + height + 28


def lines_in_columns(drawing, memory, top):
    """Many lines: each a column of its four sectors, its bytes running from left to right and down."""
    y, height = top + 24 + FAN, 24
    lines = memory.lines
    near, far = 3, 8 if len(lines) <= WARP else 3
    if drawing.phone:
        near, far = 1, 2
    space = [near if b == a + 1 else far for a, b in zip(lines, lines[1:])]
    width = (WARP * drawing.pitch - sum(space)) / len(lines)
    start, x = {}, drawing.left
    for line, after in zip(lines, space + [0]):
        start[line] = x
        x += width + after
    tails = set()
    for lane, at in memory.lanes.items():
        first, last = within(start[at // LINE], width, at % SECTOR, at % SECTOR + memory.bytes_a_lane)
        ribbon(drawing, lane, top + 26, y, first, last)
        tails.add((first, last, at % LINE // SECTOR))
    for first, last, row in sorted(tails):  # on to the sector, through those above it
        drawing.box(first, y, max(last - first, 1.2), row * (height + 2) + 4, "a tail")
    for k in range(LINE // SECTOR):
        words = f"{k * SECTOR}–{(k + 1) * SECTOR - 1}"
        drawing.text(drawing.names, y + k * (height + 2) + 16, words, "faint", "end", small=True)
    drawing.text(drawing.names, y - 8, "byte", "faint", "end", small=True)
    for line in lines:
        sector_boxes(drawing, memory, line, lambda k, x=start[line]: (x, y + k * (height + 2), width, height))
    below = y + 4 * (height + 2) + 16
    first, last = f"line at byte {spaced(lines[0] * LINE)}", f"line at byte {spaced(lines[-1] * LINE)}"
    if drawing.phone:
        first, last = f"byte {spaced(lines[0] * LINE)}", f"byte {spaced(lines[-1] * LINE)}"
    drawing.text(drawing.left, below, first, "faint", "start", small=True)
    drawing.text(drawing.right, below, last, "faint", "end", small=True)
    below += 17 if drawing.phone else 0
    gaps = sorted({(b - a - 1) * LINE for a, b in zip(lines, lines[1:])})
    if len(gaps) == 1:
        between = f"⋯ {counted(gaps[0], 'byte')} ⋯ between one line and the next" if gaps[0] else "side by side"
    else:
        between = f"⋯ {spaced(gaps[0])} to {counted(gaps[-1], 'byte')} ⋯ between one line and the next"
    drawing.text((drawing.left + drawing.right) / 2, below, between, "faint", small=True)
    return below + 8


def draw_global(about, instruction, phone=False):
    """The picture of an access to global memory, and its verdict."""
    memory = GlobalMemory(instruction["example"], instruction["bytes_a_lane"])
    verdict = memory.verdict()
    moved = f"{counted(len(memory.sectors), 'sector')} in {counted(len(memory.lines), 'line')} of 128 bytes"
    said = f"{about[0]}. {len(memory.lanes)} of 32 lanes take part. {moved}. {verdict}."
    drawing = Drawing(verdict, said, phone)
    top = drawing.heading(verdict, about, (memory.ideal, memory.counted), moved)
    below = lines_in_a_row(drawing, memory, top) or lines_in_columns(drawing, memory, top)
    drawing.lane_row(top, memory.lanes)

    def swatch(kind, bar=False):
        def draw(drawing, x, y):
            drawing.box(x, y, 22, 12, kind, ' rx="2.5"')
            if bar:
                drawing.box(x + 4, y + 2.5, 6, 7, "a")
            return 22

        return draw

    entries = [(swatch("a pale a-line", bar=True), "bytes that a lane asks for"),
               (swatch("a pale a-line"), "a sector that moves: 32 bytes"),
               (swatch("none line-line"), "a sector that does not; four make a line of 128 bytes")]  # fmt: skip
    drawing.legend(below + 28, entries)
    return drawing, verdict
