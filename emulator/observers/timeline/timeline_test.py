#!/usr/bin/env python3
"""Tests of EMULATOR_TIMELINE: timeline_test.py PROGRAM, which is timeline_program.cu."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

EMULATOR = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(EMULATOR / "tests"))
sys.dont_write_bytecode = True
from json_schema import schema_errors  # noqa: E402

SCHEMA = json.loads((EMULATOR / "timeline.schema.json").read_text(encoding="utf-8"))
PROGRAM = ""


class Timeline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "timeline.json"

    def run_program(self, part, **settings):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
        settings = {"EMULATOR_TIMELINE": str(self.path)} | settings
        return subprocess.run([PROGRAM, part], capture_output=True, text=True, env=kept | settings, timeout=60)

    def timeline(self, part, **settings):
        done = self.run_program(part, **settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in done.stderr.splitlines() if "random legal order" not in line], [])
        timeline = json.loads(self.path.read_text(encoding="utf-8"))
        self.assertEqual(schema_errors(timeline, SCHEMA, SCHEMA), [])
        return timeline

    @staticmethod
    def lanes(timeline):
        return {(event["pid"], event["tid"]): event["args"]["name"]
                for event in timeline["traceEvents"] if event["name"] == "thread_name"}  # fmt: skip

    def items(self, timeline):
        """What has a length: lane, name, begin, end."""
        lanes = self.lanes(timeline)
        return [(lanes[event["pid"], event["tid"]], event["name"], event["ts"], event["ts"] + event["dur"])
                for event in timeline["traceEvents"] if event["ph"] == "X"]  # fmt: skip

    def arrows(self, timeline):
        """Their two ends, each lane and moment."""
        lanes, arrows = self.lanes(timeline), {}
        for event in timeline["traceEvents"]:
            if event["ph"] in "sf":
                arrows.setdefault(event["id"], []).append((lanes[event["pid"], event["tid"]], event["ts"]))
        return list(arrows.values())

    def test_pipelines_in_two_streams_overlap(self):
        items = self.items(self.timeline("two"))
        self.assertEqual([item for item in items if item[0] == "stream 1"], [
            ("stream 1", "copy to device 64 KiB", 1, 17),
            ("stream 1", "twice", 17, 33),
            ("stream 1", "copy to host 64 KiB", 33, 49),
        ])  # fmt: skip
        self.assertEqual([item for item in items if item[0] == "stream 2"], [
            ("stream 2", "copy to device 64 KiB", 17, 33),  # there is one copy engine a direction
            ("stream 2", "twice", 33, 49),
            ("stream 2", "copy to host 64 KiB", 49, 65),
        ])  # fmt: skip
        self.assertIn(("host", "waits for 2 streams", 6, 65), items)

    def test_a_graph_of_several_nodes_is_launched_by_one_call(self):
        timeline = self.timeline("graph")
        calls = [event for event in timeline["traceEvents"] if event.get("cat") == "call"]
        self.assertEqual([(event["ts"], event["dur"]) for event in calls[:1]], [(0, 1)])
        self.assertLessEqual(len(calls), 2)  # the launch, and freeing the memory
        work = [item for item in self.items(timeline) if item[1] == "twice"]
        self.assertEqual([(begin, end) for _, _, begin, end in work], [(2, 18), (18, 34), (34, 50)])

    def test_an_event_is_a_mark_in_both_streams_and_an_arrow_between_the_work(self):
        timeline = self.timeline("event")
        lanes = self.lanes(timeline)
        self.assertEqual(sorted(lanes.values()), ["default stream", "host", "stream 1", "stream 2, non-blocking"])
        items = self.items(timeline)
        self.assertIn(("stream 1", "twice", 2, 18), items)
        self.assertIn(("stream 2, non-blocking", "twice", 18, 34), items)
        self.assertIn(("stream 2, non-blocking", "host function", 34, 35), items)
        self.assertIn(("host", "stages copy to host 64 KiB", 52, 68), items)
        marks = [(lanes[event["pid"], event["tid"]], event["name"], event["ts"])
                 for event in timeline["traceEvents"] if event["ph"] == "i"]  # fmt: skip
        self.assertEqual(marks, [("stream 1", "records event 1", 18),
                                 ("stream 2, non-blocking", "waits for event 1", 18)])  # fmt: skip
        self.assertIn([("stream 1", 17.5), ("stream 2, non-blocking", 18.5)], self.arrows(timeline))

    def test_the_default_stream_keeps_others_apart_and_no_arrow_says_what_others_say(self):
        timeline = self.timeline("default")
        starts = [item[2] for item in self.items(timeline) if item[1] == "twice"]
        self.assertEqual(starts, [17, 49])  # the copy out and the next copy in are side by side
        self.assertEqual(self.arrows(timeline), [
            [("stream 1", 16.5), ("default stream", 17.5)],
            [("default stream", 32.5), ("stream 1", 33.5)],
            [("default stream", 32.5), ("stream 2", 33.5)],
            [("stream 2", 48.5), ("default stream", 49.5)],
            [("stream 1", 48.5), ("default stream", 49.5)],
            [("default stream", 64.5), ("stream 2", 65.5)],
            [("stream 2", 80.5), ("host", 80.5)],
        ])  # fmt: skip

    def test_it_is_the_same_in_every_order(self):
        for part in ("two", "default", "event"):
            wanted = self.timeline(part)
            for order in ("late", "1", "2", "3"):
                self.assertEqual(self.timeline(part, EMULATOR_ORDER=order), wanted)

    def test_without_a_name_nothing_is_written(self):
        done = self.run_program("two", EMULATOR_TIMELINE="")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("65534\n", "", 0))
        self.assertFalse(self.path.exists())

    def test_a_file_that_cannot_be_written_ends_the_program_before_it_begins(self):
        for path, why in (("/nowhere/t.json", "No such file or directory"), (str(self.path.parent), "Is a directory")):
            done = self.run_program("two", EMULATOR_TIMELINE=path)
            self.assertEqual((done.stdout, done.returncode), ("", 2))
            self.assertEqual(done.stderr, f"emulator: error: cannot write EMULATOR_TIMELINE={path}: {why}\n")


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
