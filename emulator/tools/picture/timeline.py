"""A timeline's file, read: what ran in which stream, and what waited for what; its form is timeline.schema.json's."""

import bisect
from typing import NamedTuple

from picture_command import DrawingError, read_json

HOST, STREAMS = 1, 2
WORK = ("kernel", "copy to device", "copy to host", "copy", "set", "host function", "library")
OF_HOST = ("call", "wait", "staging")
MARKS = ("event", "free")


class Lane(NamedTuple):
    process: int
    row: int


class Item(NamedTuple):
    """Something that takes from `begin` to `end`; of a mark they are the same."""

    lane: Lane
    category: str
    name: str
    begin: float
    end: float


class Arrow(NamedTuple):
    """What was waited for, and what waited: a piece of work, or the host."""

    source: Item
    target: Item


class Timeline:
    def __init__(self, path):
        file = read_json(path)
        try:
            about = file["otherData"]
            if about["timeline_version"] != 1:
                raise DrawingError(f"{path} has timeline_version {about['timeline_version']}, and this program knows 1")
            self.program, self.unit, self.left_out = about["program"], about["unit"], about["left_out"]
            if self.unit not in ("step", "microsecond") or not isinstance(self.left_out, int):
                raise ValueError("otherData is malformed")
            self._read(file["traceEvents"])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise DrawingError(f"{path} is not a timeline: {type(error).__name__}: {error}") from error

    def _read(self, events):
        self.names, self.items, self.marks, ends = {}, [], [], {}
        for event in events:
            kind, lane = event["ph"], Lane(event["pid"], event["tid"])
            if kind == "M":
                if event["name"] == "thread_name":
                    self.names[lane] = str(event["args"]["name"])
                continue
            at, category, name = event["ts"] + 0, event["cat"], str(event["name"])
            if kind in "sf":
                ends.setdefault(event["id"], {})[kind] = (lane, at)
                continue
            known = MARKS if kind == "i" else OF_HOST if lane.process == HOST else WORK
            if category not in known or lane not in self.names:
                raise ValueError(f"an event '{name}' of an unknown kind or lane")
            item = Item(lane, category, name, at, at + event.get("dur", 0))
            (self.marks if kind == "i" else self.items).append(item)
        self.items.sort(key=lambda item: (item.begin, item.end))
        self.work = [item for item in self.items if item.lane.process == STREAMS]
        by_lane = {}
        for item in self.items:
            by_lane.setdefault(item.lane, []).append(item)
        begins = {lane: [item.begin for item in items] for lane, items in by_lane.items()}

        def around(lane, at):
            """An arrow ends within an item."""
            last = bisect.bisect_right(begins[lane], at)
            for item in reversed(by_lane[lane][max(0, last - 2) : last]):
                if item.begin <= at <= item.end:
                    return item
            raise ValueError(f"an arrow's end at {at} lies in nothing")

        self.arrows = [Arrow(*(around(*both[end]) for end in "sf")) for both in ends.values()]

    def lanes(self):
        """The host's threads, then the streams."""
        return sorted(self.names)


def length_at_once(items, least):
    """For how long at least that many of the items run at once."""
    edges = sorted([(item.begin, 1) for item in items] + [(item.end, -1) for item in items])
    running, before, length = 0, 0, 0
    for at, change in edges:
        if running >= least:
            length += at - before
        running, before = running + change, at
    return length
