#!/usr/bin/env python3
"""Tests of what the emulator's checks say and do to a program: host_checks_test.py PROGRAM, which is
host_checks_program.cu.

These are the checks of host code. Those of kernels have programs of their own, in emulator/evidence/corpus/bugs.
"""

import json
import os
import pathlib
import pty
import re
import signal
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
SOURCE = HERE / "host_checks_program.cu"
PROGRAM = ""


def line_with(text):
    """The number of the one line of the program's source that holds a text."""
    (number,) = [number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line]
    return number


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, way="", check="1", stderr=subprocess.PIPE, **environment):
        environment = os.environ | {"EMULATOR_CHECK": check} | environment
        return subprocess.run([PROGRAM, way], env=environment, stdout=subprocess.PIPE, stderr=stderr,
                              cwd=self.folder, text=True, timeout=120)  # fmt: skip

    def output(self, way, status):
        """What the program writes to stderr."""
        run = self.run_program(way)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stderr

    def findings(self, way, status):
        path = self.folder / "report.json"
        path.unlink(missing_ok=True)
        run = self.run_program(way, EMULATOR_REPORT=str(path))
        self.assertEqual(run.returncode, status, run.stderr)
        report = json.loads(path.read_text())
        self.assertEqual(schema_errors(report, SCHEMA, SCHEMA), [])
        return report["findings"]

    def places(self, finding):
        for other in finding["others"] + [finding]:
            self.assertEqual(pathlib.Path(other["file"]).name, SOURCE.name)
        return [(place["line"], place["event"]) for place in [finding] + finding["others"]]

    def test_nothing_wrong(self):
        for way in ("", "static-object", "atexit", "leak-and-reset"):
            with self.subTest(way):
                self.assertEqual(self.output(way, 0), "")
                self.assertEqual(self.findings(way, 0), [])

    def test_off(self):
        for check in ("", "0"):
            for way in ("leak", "free-twice", "too-many-threads", "nobody-looks-at-a-launch"):
                run = self.run_program(way, check=check)
                self.assertEqual((run.returncode, run.stderr), (0, ""), (check, way))

    def test_bad_setting(self):
        for check in ("2", "yes", "1 ", "-1"):
            run = self.run_program(check=check)
            self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1), check)
            self.assertIn(f"EMULATOR_CHECK={check}", run.stderr)

    def test_leak(self):
        three, one = self.findings("leak", 3)
        self.assertEqual((three["kind"], three["times"], one["times"]), ("leak", 3, 1))
        self.assertIn("3 allocations by cudaMalloc, 1200 bytes in all,", three["what"])
        self.assertIn("40 bytes allocated by cudaMalloc are never freed", one["what"])
        inside = line_with("if (cudaMalloc(&data")
        self.assertEqual(
            self.places(three), [(inside, "allocated here"), (line_with("// three leaks"), "called from here")]
        )
        self.assertEqual(self.places(one)[1], (line_with("// another leak"), "called from here"))
        self.assertEqual([three[name] for name in ("kernel", "block", "thread", "memory")], [None] * 4)

    def test_leaks_of_a_program_that_gives_up(self):
        self.assertEqual(self.output("leak-and-exit-5", 5), "")
        self.assertIn("emulator: 3 errors\n", self.output("leak-and-exit-0", 3))  # `data` is the third

    def test_free_twice(self):
        (finding,) = self.findings("free-twice", 3)
        self.assertEqual((finding["kind"], finding["severity"]), ("double-free", "error"))
        freed = line_with("if (cudaFree(data)")
        self.assertEqual(
            self.places(finding),
            [
                (freed, "freed again here"),
                (line_with("// for the second time"), "called from here"),
                (freed, "freed here by cudaFree"),
                (line_with("// for the first time"), "called from here"),
                (line_with("if (cudaMalloc(&data"), "allocated here by cudaMalloc"),
                (line_with("// for free_twice"), "called from here"),
            ],
        )
        self.assertEqual(
            finding["memory"],
            {"description": "400 bytes allocated by cudaMalloc", "bytes": 400, "offset": 0, "access_bytes": 0},
        )

    def test_free_twice_after_main(self):
        (finding,) = self.findings("static-object-twice", 3)
        self.assertEqual(finding["kind"], "double-free")
        self.assertIn(line_with("if (data != nullptr) release(data)"), [line for line, _ in self.places(finding)])

    def test_folded(self):
        text = self.output("free-twice-a-hundred-times", 3)
        self.assertEqual(text.count("double-free"), 1)
        (finding,) = self.findings("free-twice-a-hundred-times", 3)
        self.assertEqual(finding["times"], 100)

    def test_invalid_launch(self):
        (finding,) = self.findings("too-many-threads", 3)
        self.assertEqual((finding["kind"], finding["kernel"]), ("invalid-launch", "fill"))
        self.assertEqual(finding["what"], "a block of 1025 threads: 1024 at most")
        self.assertEqual(self.places(finding), [(line_with("// too many"), "launched here")])

    def test_unchecked_errors(self):
        launch, unchecked = self.findings("nobody-looks-at-a-launch", 3)
        self.assertEqual((launch["kind"], unchecked["kind"]), ("invalid-launch", "unchecked-error"))
        self.assertEqual(unchecked["line"], line_with("// nobody looks"))
        note, call = self.findings("nobody-looks-at-a-call", 3)
        self.assertEqual((note["severity"], note["kind"]), ("note", "invalid-copy"))
        self.assertIn("cudaMemset() failed with cudaErrorInvalidValue", call["what"])
        self.assertEqual(call["line"], line_with("// goes unseen"))
        failure, kernel = self.findings("nobody-looks-at-a-failed-kernel", 3)  # and no leak: nothing can be freed
        self.assertEqual((failure["kind"], kernel["kind"]), ("failed-kernel", "unchecked-error"))
        self.assertEqual(kernel["line"], line_with("// fails unseen"))

    def test_exit_status(self):
        self.output("free-twice", 3)
        self.output("free-twice-and-exit-5", 3)
        self.output("free-twice-and-abort", -6)
        self.output("free-twice-and-clear", 0)
        self.output("warning", 0)

    def test_kernel_before_an_abort(self):
        errors = self.output("kernel-out-of-bounds-and-abort", -signal.SIGABRT)
        self.assertEqual(errors.count("emulator: error: out-of-bounds: "), 1)

    def test_report_of_a_killed_program(self):
        self.assertEqual([finding["kind"] for finding in self.findings("free-twice-and-kill", -9)], ["double-free"])
        self.assertEqual(self.findings("free-twice-and-clear", 0), [])

    def test_summary(self):
        self.assertTrue(self.output("warning", 0).endswith("\nemulator: 1 warning\n"))
        self.assertTrue(self.output("note", 0).endswith("\nemulator: 2 notes\n"))
        self.assertTrue(self.output("free-twice", 3).endswith("\nemulator: 1 error\n"))

    def test_many(self):
        text = self.output("fifty", 3)
        self.assertEqual((text.count("race: made up"), "not shown" in text), (50, False))
        text = self.output("fifty-one", 3)
        self.assertEqual(text.count("race: made up"), 50)
        self.assertIn("\nemulator: 1 finding is not shown: ", text)
        text = self.output("seventy", 3)
        self.assertEqual(text.count("race: made up"), 50)
        self.assertIn("\nemulator: 20 findings are not shown: ", text)
        self.assertTrue(text.endswith("\nemulator: 70 errors\n"))
        self.assertEqual(len(self.findings("seventy", 3)), 70)

    def test_order_of_output(self):
        for way, before in {"free-twice-between": 1, "free-twice-and-cout": 2}.items():
            run = self.run_program(way, stderr=subprocess.STDOUT)
            words = re.findall(r"before|double-free|after|1 error", run.stdout)
            self.assertEqual(words[: before + 1], ["before"] * before + ["double-free"])
            self.assertEqual(sorted(words[before + 1 :]), ["1 error", "after"])

    def test_listing(self):
        run = self.run_program("free-twice", EMULATOR_TRAFFIC="1")
        self.assertEqual(run.returncode, 3)
        self.assertIn("data[threadIdx.x] = 1;", run.stdout)

    def test_width(self):
        for line in self.output("leak", 3).splitlines():
            self.assertLessEqual(len(line), 100)
            self.assertTrue(line.isascii())

    def test_colour(self):
        for no_color, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            ours, theirs = pty.openpty()
            self.run_program("free-twice", stderr=theirs, **no_color)
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError:  # Linux's end of file on a terminal
                pass
            os.close(ours)
            self.assertIn(b"double-free", text)
            self.assertEqual(b"\033[1;31m" in text, coloured)
        self.assertNotIn("\033", self.output("free-twice", 3))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    PROGRAM = os.path.abspath(sys.argv.pop(1))  # it runs in another folder
    unittest.main()
