#!/usr/bin/env python3
"""Tests of the emulator's JSON report: json_report_test.py PROGRAM, which is json_report_program.cu.

However the program ends, the report must be there, be of the form that the schema gives, and say what
was launched.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the sources
HERE = pathlib.Path(__file__).resolve().parent
EMULATOR = HERE.parents[1]
sys.path.append(str(EMULATOR / "tests"))
from json_schema import schema_errors  # noqa: E402

SCHEMA = json.loads((EMULATOR / "report.schema.json").read_text())
SOURCE = HERE / "json_report_program.cu"
PROGRAM = ""


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "report.json"

    def run_program(self, *arguments, path=None, **environment):
        settings = {"EMULATOR_REPORT": str(path or self.path), "EMULATOR_CHECK": "0"}
        environment = os.environ | settings | environment
        return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=120)

    def report(self, *arguments, status=0, **environment):
        self.path.unlink(missing_ok=True)
        run = self.run_program(*arguments, **environment)
        self.assertEqual(run.returncode, status, run.stderr)
        report = json.loads(self.path.read_text())
        self.assertEqual(schema_errors(report, SCHEMA, SCHEMA), [])
        self.assertEqual(report["program"], pathlib.Path(PROGRAM).name)
        if environment.get("EMULATOR_CHECK") != "1":
            self.assertEqual(report["findings"], [])
        return report

    def names(self, *arguments, status=0):
        return [kernel["instance"] for kernel in self.report(*arguments, status=status)["kernels"]]

    def test_counts(self):
        twice, column, padded = self.report()["kernels"]
        self.assertEqual((twice["kernel"], twice["instance"]), ("twice", "twice"))
        self.assertEqual((twice["grid"], twice["block"]), ([4, 1, 1], [32, 2, 1]))
        # 2-D blocks of 64 threads, of which x alone counts in the index: 128 elements, each computed twice.
        self.assertEqual(twice["global_load_requests"], 8)
        self.assertEqual(twice["global_load_sectors"], 8 * 8)
        self.assertEqual(twice["global_load_ideal_sectors"], 8 * 4)
        self.assertEqual(twice["global_load_bytes"], 8 * 128)
        self.assertEqual(twice["global_store_sectors"], 8 * 4)
        self.assertEqual((column["kernel"], column["instance"]), ("shared_column", "shared_column<32>"))
        self.assertEqual(column["shared_store_wavefronts"], 32)
        self.assertEqual(column["shared_store_bank_conflicts"], 31)
        self.assertEqual(column["barriers"], 1)
        self.assertEqual(padded["grid"], [1, 2, 3])
        self.assertEqual(padded["shared_store_bank_conflicts"], 0)
        self.assertEqual(padded["shared_store_instructions"], 6)

    def test_lines(self):
        source = SOURCE.read_text().splitlines()
        for kernel in self.report()["kernels"]:
            sums = {}
            for line in kernel["lines"]:
                self.assertEqual(pathlib.Path(line["file"]).name, SOURCE.name)
                for instruction in line["instructions"]:
                    self.assertIn("[", source[line["line"] - 1])
                    self.assertEqual(sum(lane is not None for lane in instruction["example"]["lanes"]), 32)
                for name, value in line.items():
                    if isinstance(value, int) and name != "line":
                        sums[name] = sums.get(name, 0) + value
            self.assertEqual(sums, {name: kernel[name] for name in sums})

    def test_example(self):
        (load,) = [
            instruction
            for line in self.report()["kernels"][0]["lines"]
            for instruction in line["instructions"]
            if instruction["kind"] == "global_load"
        ]
        self.assertEqual(load["example"]["lanes"], [8 * lane for lane in range(32)])
        self.assertEqual(load["example"]["block"], [0, 0, 0])

    def test_every_end(self):
        launched = ["twice", "shared_column<32>", "shared_column<33>"]
        for end, status in {"exit": 3, "_exit": 4, "throw": -6, "abort": -6, "segv": -11, "kill": -9}.items():
            with self.subTest(end):
                self.assertEqual(self.names(end, status=status), launched)

    def test_failed_kernel(self):
        kernels = self.report("kernel", status=1)["kernels"]
        self.assertEqual([kernel["error"] for kernel in kernels], [None, None, None, "cudaErrorIllegalAddress"])

    def test_nothing_launched(self):
        self.assertEqual(self.names("allocate"), [])
        self.assertEqual(self.names("nothing"), [])

    def test_many_launches(self):
        self.assertEqual(len(self.names("many")), 3003)

    def test_same_every_time(self):
        first = self.report()
        for threads in ("1", "2", "7"):
            self.assertEqual(self.report(EMULATOR_THREADS=threads), first)
        self.assertEqual(self.report(), first)

    def test_unwritable(self):
        for path in (self.path / "missing" / "report.json", self.path.parent):
            run = self.run_program(path=path)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(run.stderr.count("\n"), 1)
            self.assertIn(f"cannot write EMULATOR_REPORT={path}", run.stderr)

    def test_full_disk(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        run = self.run_program(path="/dev/full")
        self.assertEqual(run.returncode, 2)
        self.assertIn("No space left", run.stderr)

    def test_findings(self):
        report = self.report(status=3, EMULATOR_CHECK="1")
        leaks = [finding for finding in report["findings"] if finding["kind"] == "leak"]
        self.assertEqual([leak["times"] for leak in leaks], [2])  # allocated on one line
        report["findings"].clear()
        self.assertEqual(report, self.report())  # the checks change nothing else
        findings = self.report("kill", status=-9, EMULATOR_CHECK="1")["findings"]
        self.assertNotIn("leak", [finding["kind"] for finding in findings])

    def test_multiprocessors(self):
        for value in ("0", "-1", "many", "1025", "2x"):
            run = self.run_program("allocate", EMULATOR_MULTIPROCESSORS=value)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), value)

    def test_empty_settings_mean_nothing(self):
        settings = {"EMULATOR_REPORT": "", "EMULATOR_TRAFFIC": "0", "EMULATOR_CHECK": ""}
        run = subprocess.run([PROGRAM], env=os.environ | settings, capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_listing(self):
        run = self.run_program(EMULATOR_TRAFFIC="1")
        self.assertEqual(run.returncode, 0)
        self.assertIn("twice", run.stdout)
        self.assertIn("in[i * 2]", run.stdout)
        self.assertNotIn("\033", run.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    PROGRAM = sys.argv.pop(1)
    unittest.main()
