#!/usr/bin/env python3
"""Tests of timeline_picture.py with timelines made by hand."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import timeline_drawing  # noqa: E402
import timeline_picture  # noqa: E402
from picture_command import DrawingError  # noqa: E402
from timeline import Timeline  # noqa: E402

TOOL = pathlib.Path(__file__).resolve().parent / "timeline_picture.py"
SVG = "{http://www.w3.org/2000/svg}"


def item(process, row, category, begin, end, name=None):
    return {"ph": "X", "pid": process, "tid": row, "ts": begin, "dur": end - begin, "cat": category,
            "name": name or category}  # fmt: skip


def work(row, category, begin, end, name=None):
    return item(2, row, category, begin, end, name)


def arrow(number, source, target):
    """Between (process, row, moment) and another."""
    ends = zip("sf", (source, target))
    return [{"ph": kind, "pid": pid, "tid": tid, "ts": at, "id": number, "cat": "waits", "name": "waited for"}
            for kind, (pid, tid, at) in ends]  # fmt: skip


def timeline(*events, unit="step", streams=2, left_out=0):
    def name(pid, tid, text):
        return {"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": text}}

    lanes = [name(1, 1, "host")] + [name(2, row, f"stream {row}") for row in range(1, streams + 1)]
    about = {"timeline_version": 1, "program": "sums", "unit": unit, "axis": "", "left_out": left_out}
    return {"otherData": about, "displayTimeUnit": "ns", "traceEvents": lanes + list(events)}


PIPELINE = (item(1, 1, "call", 0, 1), work(1, "copy to device", 1, 11, "copy to device 40 KiB"),
            work(1, "kernel", 11, 21, "sum<float, 4, true, false>"), work(2, "copy to device", 11, 21),
            work(2, "kernel", 21, 31), item(1, 1, "wait", 1, 31))  # fmt: skip


class DrawnPicture:
    """A picture, read back: rows of boxes by the colour that they have, and texts."""

    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.texts = ["".join(one.itertext()) for one in self.root.iter(SVG + "text")]
        self.boxes = [(one.get("class"), float(one.get("x")), float(one.get("y")), float(one.get("width")))
                      for one in self.root.iter(SVG + "rect") if float(one.get("height")) == timeline_drawing.BOX]  # fmt: skip
        self.heads = [one for one in self.root.iter(SVG + "path") if one.get("d").endswith("Z")]

    def of(self, colour):
        return [box[1:] for box in self.boxes if box[0] == colour]


class TimelinePicture(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_tool(self, content, *options):
        text = content if isinstance(content, str) else json.dumps(content)
        (self.folder / "t.json").write_text(text, encoding="utf-8")
        out, before = io.StringIO(), os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(out):
                timeline_picture.main(["t.json", *options])
        except DrawingError as refused:
            return 2, out.getvalue(), f"{refused}\n"
        finally:
            os.chdir(before)
        return 0, out.getvalue(), ""

    def drawn(self, content, *options):
        status, out, err = self.run_tool(content, *options, "--out", "-")
        self.assertEqual((status, err), (0, ""))
        return DrawnPicture(out)

    def refused(self, part, content, *options):
        status, out, err = self.run_tool(content, *options)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(part, err)

    def test_work_of_a_stream_lies_in_its_lane_and_what_runs_at_once_lies_side_by_side(self):
        for options in ((), ("--phone",)):
            picture = self.drawn(timeline(*PIPELINE), *options)
            (in_1, in_2), (kernel_1, kernel_2) = picture.of("b"), picture.of("a")
            self.assertEqual((in_1[1], in_2[1]), (kernel_1[1], kernel_2[1]))
            self.assertLess(in_1[1], in_2[1])
            self.assertAlmostEqual(kernel_1[0], in_2[0], 2)
            self.assertLess(in_1[0] + in_1[2], kernel_1[0] + 2)
            for box in picture.boxes:
                self.assertLessEqual(box[1] + box[3], float(picture.root.get("width")))

    def test_the_headline_says_how_much_overlaps(self):
        def headline(*events, **how):
            (self.folder / "h.json").write_text(json.dumps(timeline(*events, **how)), encoding="utf-8")
            return timeline_drawing.verdict_of(Timeline(self.folder / "h.json"))

        self.assertEqual(headline(*PIPELINE), "two or more pieces of work at once in 10 of 30 steps")
        self.assertEqual(headline(work(1, "kernel", 0, 5), work(2, "kernel", 5, 1000)),
                         "nothing overlaps: 2 pieces of work in 1,000 steps")  # fmt: skip
        self.assertEqual(headline(work(1, "kernel", 0, 1.5), work(2, "kernel", 1.25, 2000), unit="microsecond"),
                         "two or more pieces of work at once in 0.25 µs of 2 ms")  # fmt: skip

    def test_the_axis_says_what_it_counts(self):
        for unit, said, end in (("step", "the emulator's steps, not times", "steps"),
                                ("microsecond", "time on the GPU", "µs")):  # fmt: skip
            picture = self.drawn(timeline(*PIPELINE, unit=unit))
            self.assertIn(f"sums · {said}", picture.texts)
            self.assertIn(end, picture.texts)
            self.assertIn("0", picture.texts)
            self.assertNotIn("-0", picture.texts)

    def test_a_box_has_its_name_as_far_as_there_is_room(self):
        picture = self.drawn(timeline(*PIPELINE))
        self.assertIn("copy to device 40 KiB", picture.texts)
        self.assertIn("sum<float, 4, true, false>", picture.texts)
        narrow = self.drawn(timeline(*PIPELINE), "--phone")
        self.assertIn("40 KiB", narrow.texts)
        self.assertIn("sum", narrow.texts)

    def test_an_arrow_goes_from_work_to_what_waited_for_it(self):
        self.assertEqual(self.drawn(timeline(*PIPELINE)).heads, [])
        waits = (*arrow(1, (2, 1, 20.5), (2, 2, 21.5)), *arrow(2, (2, 1, 20.5), (1, 1, 30.5)),
                 *arrow(3, (2, 2, 30.5), (1, 1, 30.5)))  # fmt: skip
        heads = self.drawn(timeline(*PIPELINE, *waits)).heads
        # The host's wait is over with the second stream, and has one arrow.
        self.assertEqual([head.get("class") for head in heads], ["ink", "faint"])
        self.refused("an arrow's end at 40", timeline(*PIPELINE, *arrow(1, (2, 1, 40), (2, 2, 21.5))))

    def test_of_a_long_program_a_part_is_drawn_and_said_to_be(self):
        long = timeline(*(work(1, "kernel", 10 * k, 10 * k + 10) for k in range(2000)), left_out=7)
        picture = self.drawn(long)
        self.assertEqual(len(picture.of("a")), timeline_drawing.MOST_WORK)
        self.assertIn("drawn: 150 pieces of work of 2,000, steps 0 to 1,500", picture.texts)
        self.assertIn("7 pieces of work came later and were not noted", picture.texts)
        part = self.drawn(long, "--from", "15", "--to", "40")
        self.assertEqual(len(part.of("a")), 3)
        self.assertIn("drawn: 3 pieces of work of 2,000, steps 15 to 40", part.texts)
        many = self.drawn(timeline(*(work(k, "kernel", 0, 9) for k in range(1, 41)), streams=40))
        self.assertEqual(len(many.of("a")), timeline_drawing.MOST_LANES - 1)
        self.assertIn("25 more streams are not drawn", many.texts)

    def test_it_writes_a_file_and_says_so(self):
        verdict = "two or more pieces of work at once in 10 of 30 steps"
        self.assertEqual(self.run_tool(timeline(*PIPELINE)), (0, f"{verdict}\nwrote sums-timeline.svg\n", ""))
        ElementTree.parse(self.folder / "sums-timeline.svg")
        self.assertIn("other-timeline.svg", self.run_tool(timeline(*PIPELINE), "--name", "other")[1])
        self.assertIn("other · the emulator's", (self.folder / "other-timeline.svg").read_text(encoding="utf-8"))
        (self.folder / "f").mkdir()
        self.assertEqual(self.run_tool(timeline(*PIPELINE), "--folder", "f")[1].splitlines()[1],
                         "wrote f/sums-timeline.svg")  # fmt: skip

    def test_the_legend_names_what_is_there_and_nothing_else(self):
        texts = self.drawn(timeline(*PIPELINE)).texts
        self.assertIn("copy to the device", texts)
        self.assertIn("the host waits", texts)
        self.assertNotIn("copy to the host", texts)
        self.assertNotIn("host function", texts)

    def test_it_is_told_in_words_too(self):
        said = self.drawn(timeline(*PIPELINE)).root.find(SVG + "desc").text
        self.assertRegex(said, re.escape("stream 1: copy to device 40 KiB, sum<float, 4, true, false>."))

    def test_the_command_says_in_one_line_what_is_wrong(self):
        done = subprocess.run([sys.executable, "-B", TOOL, self.folder / "t.json"], capture_output=True, text=True,
                              timeout=60)  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^timeline_picture.py: cannot read \S+/t.json: No such file or directory\n$")

    def test_what_is_no_timeline_is_refused_in_one_line(self):
        self.refused("is not JSON", "{")
        self.refused("is not a timeline: KeyError", {"kernels": []})
        self.refused("is not a timeline", [])
        self.refused("holds no work", timeline(item(1, 1, "wait", 0, 1)))
        other = timeline(*PIPELINE)
        other["otherData"]["timeline_version"] = 2
        self.refused("has timeline_version 2, and this program knows 1", other)
        self.refused("of an unknown kind or lane", timeline(work(1, "dance", 0, 1)))
        self.refused("of an unknown kind or lane", timeline(work(9, "kernel", 0, 1)))
        self.refused("is not a timeline: TypeError", timeline(work(1, "kernel", 0, 1) | {"ts": "x"}))
        for options, part in ((("--from", "x"), "invalid moment value: 'x'"), (("--to", "nan"), "invalid moment value"),
                              (("--from", "9", "--to", "9"), "--from 9 is not before --to 9"),
                              (("--from", "31"), "--from 31 is past the end of the timeline, 31"),
                              (("--line", "3"), "unrecognized arguments"),
                              (("--out", "no/where.svg"), "cannot write no/where.svg")):  # fmt: skip
            self.refused(part, timeline(*PIPELINE), *options)


if __name__ == "__main__":
    unittest.main()
