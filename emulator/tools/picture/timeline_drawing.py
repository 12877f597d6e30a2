"""Draws a timeline: a lane for each host thread and each stream, and arrows for what waited for what."""

import math
import textwrap

from access_drawing import Drawing, counted, shortened, spaced
from timeline import HOST, length_at_once

STYLE = (
    ".cell{font-size:11.5px;font-weight:600}.on-b{fill:#000}.head{font-size:16px}.wait{stroke-dasharray:3 2.5}"
    ".halo{paint-order:stroke;stroke-width:3.5px;stroke-linejoin:round}\n"
)
LOOKS = {  # colour of the box, colour of its text
    "kernel": ("a", "white"),
    "copy to device": ("b", "on-b"),
    "copy to host": ("c", "white"),
    "copy": ("faint", "white"),
    "set": ("faint", "white"),
    "library": ("a", "white"),
    "host function": ("none ink-line", "ink"),
    "wait": ("none faint-line wait", "faint"),
    "staging": ("line", "ink"),
}
LEGEND = (("kernel", "kernel"), ("copy to device", "copy to the device"), ("copy to host", "copy to the host"),
          ("copy", "copy within the device"), ("set", "memory is set"), ("library", "a library's call"),
          ("host function", "host function"), ("staging", "the host stages a pageable copy"),
          ("wait", "the host waits"))  # fmt: skip
MOST_LANES, MOST_WORK, BOX, CHARACTER = 16, 150, 22, 6.9


class Window:
    """What of a timeline is drawn: the lanes that have room, and the first pieces of work, or those between two
    moments."""

    def __init__(self, timeline, first=None, last=None):
        self.timeline, lanes = timeline, timeline.lanes()
        self.lanes, self.more_lanes = lanes[:MOST_LANES], max(0, len(lanes) - MOST_LANES)
        end = max((item.end for item in timeline.items), default=0)
        self.begin, self.end = first or 0, end if last is None else min(last, end)
        there = [item for item in timeline.work if self.overlaps(item)]
        self.is_cut = first is not None or last is not None
        if len(there) > MOST_WORK:
            self.end, self.is_cut = there[MOST_WORK].begin, True
        self.end = max(self.end, self.begin + 1e-3)
        self.items = self.within(timeline.items)
        self.work = self.within(timeline.work)
        self.drawn = set(self.items)

    def overlaps(self, item):
        return item.begin < self.end and item.end > self.begin

    def within(self, items):
        return [item for item in items if self.overlaps(item) and item.lane in self.lanes]

    def clipped(self, item):
        return item._replace(begin=max(item.begin, self.begin), end=min(item.end, self.end))


def amount(timeline, length):
    """A length as a person says it."""
    if timeline.unit == "step":
        return counted(round(length), "step")
    return f"{length / 1000:.3g} ms" if length >= 1000 else f"{length:.3g} µs"


def verdict_of(timeline):
    if not timeline.work:
        return "no work in any stream"
    whole = max(item.end for item in timeline.work) - min(item.begin for item in timeline.work)
    both = length_at_once(timeline.work, 2)
    if both == 0:
        return f"nothing overlaps: {counted(len(timeline.work), 'piece')} of work in {amount(timeline, whole)}"
    part = spaced(round(both)) if timeline.unit == "step" else amount(timeline, both)
    return f"two or more pieces of work at once in {part} of {amount(timeline, whole)}"


def said_by_lane(window):
    """The picture in words."""
    text = []
    for lane in window.lanes:
        names = [item.name for item in window.items if item.lane == lane and item.category != "call"]
        if names:
            more = f" and {len(names) - 8} more" if len(names) > 8 else ""
            text.append(f"{window.timeline.names[lane]}: {', '.join(names[:8])}{more}.")
    return " ".join(text)


def needed_arrows(timeline):
    """All between streams. A wait of the host's is over with the last of what it waits for: that one only."""
    last = {}
    for arrow in timeline.arrows:
        if arrow.target.category != "wait":
            yield arrow
        elif arrow.target not in last or arrow.source.end > last[arrow.target].source.end:
            last[arrow.target] = arrow
    yield from last.values()


def dot(x, y):
    return f'<circle cx="{x:.5g}" cy="{y:.5g}" r="3.2" class="ink white-line" stroke-width="1.4"/>'


def round_step(length, most):
    """The distance of the axis's numbers: 1, 2 or 5 times a power of ten."""
    step = 1e-3
    while True:
        for factor in (1, 2, 5):
            if length / (step * factor) <= most:
                return step * factor
        step *= 10


class TimelineDrawing(Drawing):
    def __init__(self, window, phone=False):
        verdict = verdict_of(window.timeline)
        self.headline = verdict[0].upper() + verdict[1:]
        super().__init__(self.headline, f"{self.headline}. {said_by_lane(window)}", phone)
        self.more_style = STYLE
        self.window, self.timeline = window, window.timeline
        self.names_width = 0 if phone else min(150, 30 + max(6.3 * len(window.timeline.names[one])
                                                             for one in window.lanes))  # fmt: skip
        self.from_x, self.to_x = (10, 350) if phone else (24 + self.names_width, 836)
        self.scale = (self.to_x - self.from_x) / (window.end - window.begin)

    def x(self, at):
        return self.from_x + (at - self.window.begin) * self.scale

    def draw(self):
        y = self.draw_heading()
        top = y
        self.tops = {}
        for lane in self.window.lanes:
            self.tops[lane] = y + (17 if self.phone else 0)
            y = self.tops[lane] + BOX + (10 if self.phone else 12)
        ends = y
        self.draw_axis(top, ends)
        for lane in self.window.lanes:
            middle = self.tops[lane] + BOX / 2
            self.line(self.from_x, middle, self.to_x, middle, "line")
        for item in self.window.items:
            self.draw_item(item)
        for arrow in needed_arrows(self.timeline):
            self.draw_arrow(arrow)
        for mark in self.timeline.marks:
            self.draw_mark(mark)
        for lane in self.window.lanes:
            self.draw_name(lane)
        self.draw_legend(ends + 50)
        return self

    def draw_heading(self):
        window, unit = self.window, self.timeline.unit
        axis = "the emulator's steps, not times" if unit == "step" else "time on the GPU"
        about = [f"{self.timeline.program} · {axis}"]
        if window.is_cut:
            here, there = counted(len(window.work), "piece"), spaced(len(self.timeline.work))
            span = f"{window.begin:,.6g} to {window.end:,.6g}"
            span = f"steps {span}" if unit == "step" else f"{span} µs"
            about.append(f"drawn: {here} of work of {there}, {span}")
        if window.more_lanes:
            about.append(f"{window.more_lanes} more streams are not drawn")
        if self.timeline.left_out:
            about.append(f"{counted(self.timeline.left_out, 'piece')} of work came later and were not noted")
        if not self.phone:
            self.text(24, 28, self.headline, "ink head", "start", "bold")
            for k, line in enumerate(about):
                self.text(24, 49 + 17 * k, shortened(line, 120), "faint", "start", small=True)
            return 66 + 17 * (len(about) - 1)
        y = 4
        for line in textwrap.wrap(self.headline, 42):
            y += 18
            self.text(8, y, line, "ink", "start", "bold")
        for line in [line for text in about for line in textwrap.wrap(text, 54)]:
            y += 16
            self.text(8, y, line, "faint", "start", small=True)
        return y + 12

    def draw_name(self, lane):
        name, y = self.timeline.names[lane], self.tops[lane]
        colour = ("faint" if lane.process == HOST else "ink") + " white-line halo"
        if self.phone:
            self.text(self.from_x, y - 5, name, colour, "start", small=True)
        else:
            self.text(self.from_x - 12, y + BOX / 2 + 4, shortened(name, 22), colour, "end", small=True)

    def draw_axis(self, top, y):
        window = self.window
        step = round_step(window.end - window.begin, 6 if self.phone else 14)
        if self.timeline.unit == "step":
            step = max(1, step)
        at = math.ceil(window.begin / step) * step
        while at <= window.end * (1 + 1e-9):
            x = self.x(at)
            self.add(f'<path d="M{x:.5g} {top - 4:.5g}V{y:.5g}" class="none line-line" stroke-opacity=".6"/>')
            self.text(x, y + 15, f"{at:,.6g}", "faint", small=True)
            at += step
        self.text(self.to_x, y + 31, "steps" if self.timeline.unit == "step" else "µs", "faint", "end", small=True)

    def draw_item(self, item):
        shown = self.window.clipped(item)
        x, wide = self.x(shown.begin), max(1.2, (shown.end - shown.begin) * self.scale)
        top = self.tops[item.lane]
        if item.category == "call":
            self.add(f'<path d="M{x:.5g} {top + 3}V{top + BOX - 3}" class="none faint-line"/>')
            return
        colour, ink = LOOKS[item.category]
        gap = 0.6 if wide > 4 else 0
        self.box(x + gap, top, wide - 2 * gap, BOX, colour, ' rx="2.5"' if wide > 8 else "")
        label = self.label(item, wide - 8)
        if label:
            self.text(x + wide / 2, top + BOX / 2 + 4, label, f"{ink} cell")

    @staticmethod
    def label(item, wide):
        """As much of its name as has room."""
        short = item.name.split("<")[0]
        if item.category in ("copy to device", "copy to host", "set", "copy"):
            short = item.name.removeprefix(item.category).strip()
        for text in (item.name, short):
            if CHARACTER * len(text) <= wide:
                return text
        return shortened(short, int(wide / CHARACTER)) if wide > 5 * CHARACTER else ""

    def draw_mark(self, mark):
        if mark.category != "event" or mark.lane not in self.tops:
            return
        if self.window.begin <= mark.begin <= self.window.end:
            self.add(dot(self.x(mark.begin), self.tops[mark.lane] + BOX / 2))

    def draw_arrow(self, arrow):
        source, target = arrow
        if source not in self.window.drawn or target not in self.window.drawn:
            return
        at = target.end if target.category == "wait" else target.begin
        if not self.window.begin <= source.end <= at <= self.window.end:
            return
        down = self.tops[target.lane] > self.tops[source.lane]
        y1 = self.tops[source.lane] + (BOX if down else 0)
        y2 = self.tops[target.lane] + (-3 if down else BOX + 3)
        colour = "faint" if target.category == "wait" else "ink"
        self.line(self.x(source.end), y1, self.x(at), y2, colour, 1.2, arrow=True)

    def draw_legend(self, y):
        categories = {item.category for item in self.window.items}

        def swatch(category):
            def draw(drawing, x, top):
                drawing.box(x + 1, top, 18, 12, LOOKS[category][0], ' rx="2.5"')
                return 20

            return draw

        def tick(drawing, x, top):
            drawing.add(f'<path d="M{x + 4} {top}v12" class="none faint-line"/>')
            return 8

        def an_event(drawing, x, top):
            drawing.add(dot(x + 5, top + 6))
            return 10

        entries = [(swatch(category), words) for category, words in LEGEND if category in categories]
        if "call" in categories:
            entries.append((tick, "the host issues work"))
        if any(mark.category == "event" for mark in self.timeline.marks):
            entries.append((an_event, "an event is recorded, or waited for"))
        rows, width = [[]], 24
        for entry in entries:
            needed = 47 + 5.9 * len(entry[1])
            if not self.phone and width + needed > 850:
                rows.append([])
                width = 24
            rows[-1].append(entry)
            width += needed
        for row in rows:
            self.legend(y, row)
            y += 20


def draw_timeline(timeline, first=None, last=None, phone=False):
    """The picture, and its verdict."""
    drawing = TimelineDrawing(Window(timeline, first, last), phone).draw()
    return drawing, verdict_of(timeline)
