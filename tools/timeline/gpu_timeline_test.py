#!/usr/bin/env python3
"""Holds what the recorder writes of a GPU against what the programs of the emulator's own test do.

    gpu_timeline_test.py PROGRAM RECORDER    PROGRAM is emulator/observers/timeline/timeline_program.cu, for the GPU

Times differ from run to run; what is there, in which stream, and what waited for what does not."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EMULATOR = pathlib.Path(__file__).resolve().parents[2] / "emulator"
sys.dont_write_bytecode = True
sys.path += [str(EMULATOR / "tests"), str(EMULATOR / "tools" / "picture")]
from json_schema import schema_errors  # noqa: E402
from timeline import Timeline  # noqa: E402

SCHEMA = json.loads((EMULATOR / "timeline.schema.json").read_text(encoding="utf-8"))
PROGRAM, RECORDER = "", ""


class GpuTimeline(unittest.TestCase):
    def timeline(self, part):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "timeline.json"
            settings = {"CUDA_INJECTION64_PATH": RECORDER, "COURSE_TIMELINE": str(path)}
            done = subprocess.run([PROGRAM, part], env=os.environ | settings, capture_output=True, text=True,
                                  timeout=60)  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            file = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(schema_errors(file, SCHEMA, SCHEMA), [])
            self.assertEqual(file["otherData"]["unit"], "microsecond")
            return Timeline(path)

    def work(self, timeline):
        """The names of each stream's work, in order."""
        lanes = {}
        for item in timeline.work:
            self.assertLess(item.begin, item.end)
            lanes.setdefault(timeline.names[item.lane], []).append(item.name)
        return lanes

    def test_pipelines_in_two_streams(self):
        timeline = self.timeline("two")
        pipeline = ["copy to device 64 KiB", "twice", "copy to host 64 KiB"]
        self.assertEqual(self.work(timeline), {"stream 1": pipeline, "stream 2": pipeline})
        waits = [item for item in timeline.items if item.category == "wait"]
        self.assertIn("waits for everything", [item.name for item in waits])

    def test_kernels_in_the_default_stream(self):
        lanes = self.work(self.timeline("default"))
        self.assertEqual(lanes["default stream"], ["twice", "twice"])

    def test_an_event_is_an_arrow_between_streams(self):
        timeline = self.timeline("event")
        arrows = [(timeline.names[source.lane], source.name, timeline.names[target.lane], target.name)
                  for source, target in timeline.arrows]  # fmt: skip
        self.assertIn(("stream 1", "twice", "stream 2, non-blocking", "twice"), arrows)
        self.assertIn("records event 1", [mark.name for mark in timeline.marks])
        # A copy to pageable memory returns once it is done: its call has waited.
        self.assertIn("waits in cudaMemcpy", [item.name for item in timeline.items])


def has_gpu():
    tool = shutil.which("nvidia-smi")
    return tool is not None and subprocess.run([tool, "-L"], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    if not has_gpu():
        print("SKIPPED: without a GPU there is nothing to record")
        sys.exit(77)
    RECORDER = str(pathlib.Path(sys.argv.pop()).resolve())
    PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
    unittest.main()
