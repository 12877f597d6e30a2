"""Draws what a warp's access to shared memory asks of the 32 banks. access_picture.py is the command."""

from access_drawing import LINE, WARP, WORD, Drawing, active_lanes, counted, ranges, spaced

HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M1 0V6" class="none b-line" stroke-width="1.6" stroke-opacity=".55"/></pattern></defs>'
)


class Group:
    """Lanes that are served together: the words they ask for, and how many of these (for an atomic operation: how
    many lanes) each bank has to serve one after the other."""

    def __init__(self, lanes, bytes_a_lane, by_lane=False):
        self.lanes, self.cells = lanes, {}  # first word: lanes that start in it
        for lane, at in lanes.items():
            self.cells.setdefault(at // WORD, []).append(lane)
        self.span = max(1, bytes_a_lane // WORD)
        self.words = {word + k for word in self.cells for k in range(self.span)}
        if by_lane:
            self.load = [sum(at // WORD % WARP == bank for at in lanes.values()) for bank in range(WARP)]
        else:
            self.load = [sum(word % WARP == bank for word in self.words) for bank in range(WARP)]
        self.wavefronts = max(self.load)


class SharedMemory:
    def __init__(self, instruction):
        self.lanes, self.kind = active_lanes(instruction["example"]), instruction["kind"]
        width = instruction["bytes_a_lane"]
        self.is_atomic = self.kind == "shared_atomic"
        self.by_lane = instruction.get("form") in ("one step", "compare and swap", "loop")
        # How lanes are served the emulator knows, and what an atomic operation takes.
        self.groups = [Group({lane: self.lanes[lane] for lane in group["lanes"]}, width, self.by_lane)
                       for group in instruction["example"]["groups"]]  # fmt: skip
        if self.is_atomic:
            self.wavefronts, self.needed = (instruction["example"][name] for name in ("wavefronts", "ideal_wavefronts"))
        else:
            self.wavefronts, self.needed = sum(group.wavefronts for group in self.groups), len(self.groups)
        self.words = len(set().union(*(group.words for group in self.groups)))

    def verdict(self):
        taken, needed = counted(self.wavefronts, "wavefront"), self.needed
        if self.is_atomic:
            who = f"{counted(len(self.lanes), 'lane')} at {counted(self.words, 'word')}"
            return f"{who}: {taken}" + (f" instead of {needed}" if self.wavefronts > needed else "")
        if self.wavefronts == needed:
            return f"no bank conflict: {taken}" + (f" for {needed} groups of lanes" if needed > 1 else "")
        ways = {group.wavefronts for group in self.groups}
        what = f"{ways.pop()}-way bank conflict" if len(ways) == 1 else "bank conflicts"
        return f"{what}: {taken} instead of {needed}"


def label_lines(lanes, width):
    """What a cell says of its lanes, in one line or two."""
    text = ranges(lanes)
    if 7.7 * len(text) <= width + 4:
        return [text]
    if lanes[-1] - lanes[0] == len(lanes) - 1:
        return [f"{lanes[0]}–", str(lanes[-1])]
    if len(lanes) == 2:
        return [f"{lanes[0]},", str(lanes[1])]
    return [f"×{len(lanes)}"]


def draw_rows(drawing, group, top):
    """The words of a group, a row of 128 bytes under the other. Returns where they end."""
    rows = sorted({word // WARP for word in group.cells})
    # Rows that nobody asks for are left out where there are more than two.
    shown = [rows[0]]
    for row in rows[1:]:
        shown += range(shown[-1] + 1, row + 1) if row - shown[-1] <= 3 else [row]
    labels = {word: [] if drawing.phone else label_lines(lanes, drawing.pitch * group.span - 2)
              for word, lanes in group.cells.items()}  # fmt: skip
    height = 30 if any(len(lines) > 1 for lines in labels.values()) else 18 if len(shown) > 12 else 22
    place, y = {}, top
    for before, row in zip([rows[0] - 1] + shown, shown):
        if row != before + 1:
            for k in (-4, 0, 4):
                drawing.box(drawing.left - 22 + k, y + 3, 2, 2, "faint")
            y += 9
        place[row] = y
        y += height
    crowded = [bank for bank in range(WARP) if group.load[bank] > 1]
    for row in shown:
        path = f"M{drawing.left} {place[row]}h{WARP * drawing.pitch}v{height}h{-WARP * drawing.pitch}z"
        path += "".join(f"M{drawing.left + bank * drawing.pitch} {place[row]}v{height}" for bank in range(1, WARP))
        for bank in crowded:
            x = drawing.left + bank * drawing.pitch
            drawing.box(x, place[row], drawing.pitch, height, "hatch", ' fill="url(#hatch)"')
        drawing.add(f'<path d="{path}" class="none line-line" shape-rendering="crispEdges"/>')
        words = ("byte " if row == shown[0] else "") + spaced(row * LINE)
        drawing.text(drawing.names, place[row] + height / 2 + 4, words, "faint", "end", small=True)
    for word, lines in labels.items():
        x, cell_top = drawing.left + word % WARP * drawing.pitch, place[word // WARP]
        conflict = any(group.load[(word + k) % WARP] > 1 for k in range(group.span))
        colour, on = ("b", "on-b") if conflict else ("a", "white")
        drawing.box(x + 1.5, cell_top + 1.5, drawing.pitch * group.span - 3, height - 3, f"asked {colour}", ' rx="3"')
        middle = x + drawing.pitch * group.span / 2
        for k, line in enumerate(lines):
            drawing.text(middle, cell_top + height / 2 + 4 + 12 * (k - (len(lines) - 1) / 2), line, f"{on} cell")
    return y


def draw_load(drawing, group, y, words):
    """Under each bank, how many words are asked of it."""
    drawing.text(drawing.names, y + 15, words, "faint", "end", small=True)
    for bank, load in enumerate(group.load):
        x = drawing.left + bank * drawing.pitch
        if load > 1 and not drawing.phone:
            drawing.box(x + 1.5, y + 1, drawing.pitch - 3, 19, "conflict none b-line", ' rx="3" stroke-width="1.6"')
        if load:
            how = {"colour": "ink", "weight": "bold"} if load > 1 else {"colour": "faint"}
            drawing.text(x + drawing.pitch / 2, y + 15, str(load), small=True, **how)
    return y + 22


def draw_shared(about, instruction, phone=False):
    """The picture of an access to shared memory, and its verdict."""
    memory = SharedMemory(instruction)
    verdict = memory.verdict()
    headline = verdict[0].upper() + verdict[1:]
    said = f"{about[0]}. {len(memory.lanes)} of 32 lanes ask for {counted(memory.words, 'word')}. {verdict}."
    drawing = Drawing(headline, said, phone)
    drawing.add(HATCH)
    pips = (memory.needed, memory.wavefronts)
    asked = f"{counted(len(memory.lanes), 'lane')}, {counted(memory.words, 'word')} of 4 bytes"
    y = 8 + drawing.heading(headline, about, pips, asked)
    for k, group in enumerate(memory.groups):
        if len(memory.groups) > 1:
            served = f"lanes {ranges(group.lanes)}"
            served += "" if memory.is_atomic else f": {counted(group.wavefronts, 'wavefront')}"
            drawing.text(drawing.left, y - 4, served, "ink", "start", "bold", small=True)
            y += 14 if k == 0 else 0
        if k == 0:
            drawing.text(drawing.names, y, "bank", "faint", "end", small=True)
            for bank in range(0, WARP, 5 if phone else 1):
                crowded = any(one.load[bank] > 1 for one in memory.groups)
                how = {"colour": "ink", "weight": "bold"} if crowded else {"colour": "faint"}
                drawing.text(drawing.left + (bank + 0.5) * drawing.pitch, y, str(bank), small=True, **how)
            y += 6
        y = draw_rows(drawing, group, y) + 4
        y = draw_load(drawing, group, y, "lanes" if memory.by_lane else "words")
        y += 30 if k + 1 < len(memory.groups) else 0

    drawing.legend(y + 26, legend(memory, drawing))
    return drawing, verdict


def legend(memory, drawing):
    def swatch(colour, hatched=False):
        def draw(drawing, x, top):
            if hatched:
                drawing.box(x, top - 1, 22, 14, "hatch", ' fill="url(#hatch)"')
            drawing.box(x + 3, top, 16, 12, colour, ' rx="2.5"')
            return 22

        return draw

    cells = [lanes for group in memory.groups for lanes in group.cells.values()]
    words = "what a lane asks for, with its number"
    if any(len(lanes) > 1 for lanes in cells):
        words = "what lanes ask for, with their numbers"
        if any(line.startswith("×") for lanes in cells for line in label_lines(lanes, drawing.pitch - 2)):
            words += " (×4: four lanes)"
    if drawing.phone:
        words = "what a lane, or several, ask for"
    entries = [(swatch("a"), words)]
    if any(load > 1 for group in memory.groups for load in group.load):
        who = "that several lanes want: one after the other" if memory.by_lane else "that is asked for several words"
        more = "" if memory.is_atomic else ": one wavefront each"
        entries.append((swatch("b", hatched=True), f"in a bank {who}{more}"))
    return entries
