#!/usr/bin/env python3
"""Tests of harness.py: what every benchmark relies on."""

import argparse
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the sources
import harness  # noqa: E402
from harness import Failure  # noqa: E402


class Runs(unittest.TestCase):
    def test_it_ends_in_time(self):
        with self.assertRaisesRegex(Failure, "did not end within 0.1 s: sleep 5"):
            harness.must(["sleep", "5"], 0.1)

    def test_it_fails(self):
        with self.assertRaisesRegex(Failure, "status 3: last"):
            harness.must(["sh", "-c", "echo first; echo last >&2; exit 3"])
        with self.assertRaisesRegex(Failure, "no-such-program: No such file"):
            harness.must(["no-such-program"])

    def test_time_of_the_processor(self):
        seconds, processor, _ = harness.must(["sleep", "0.3"])
        self.assertGreaterEqual(seconds, 0.3)
        self.assertLess(processor, 0.2)

    def test_sides_take_turns(self):
        class Side:
            def __init__(self, name):
                self.name = name

        order = []

        def run_of(side):
            order.append(side.name)
            return len(order), 1 / 3

        times = harness.in_turn([Side("a"), Side("b")], ("wall", "processor"), 2, run_of)
        self.assertEqual(order, ["a", "b", "a", "b"])
        self.assertEqual(times["b"], {"wall": [2, 4], "processor": [0.333333, 0.333333]})

    def test_no_compiler_no_opencl(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertFalse(harness.can_build_opencl("no-such-compiler", folder))


class Sources(unittest.TestCase):
    cuda = "// About.\n\n// One.\n__global__ void f(const float* x, float* y) { y[threadIdx.x] = blockDim.y; }\n"
    opencl = ("// About\n// it.\n\n// One.\n"
              "kernel void f(global const float* x, global float* y) { y[get_local_id(0)] = get_local_size(1); }\n")

    def test_the_same(self):
        harness.compare_sources(self.cuda, self.opencl)
        template = self.cuda.replace("__global__", "template <int tile>\n__global__")
        harness.compare_sources(template, self.opencl)

    def test_others(self):
        for cuda, opencl in ((self.cuda, self.opencl.replace("One", "Two")), (self.cuda, self.opencl + "// more\n"),
                             (self.cuda + "// more\n", self.opencl), (self.cuda, self.opencl.replace("(0)", "(1)"))):
            with self.assertRaisesRegex(Failure, "kernels.cl differs from kernels.cuh: '.*' is not '.*'"):
                harness.compare_sources(cuda, opencl)

    def test_nothing_to_compare(self):
        with self.assertRaisesRegex(Failure, "nothing behind"):
            harness.compare_sources("// About.\n", "// About.\n")


class CommandLine(unittest.TestCase):
    def parsed(self, *given):
        """What comes of a command line: the options, or the exit status and what is said."""
        out, errors = io.StringIO(), io.StringIO()
        parser = harness.Parser("bench", "\nThe text.\n", ("one", "two"), repeat=3, limit=60)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            try:
                return parser.options(given)
            except SystemExit as left:
                return left.code, out.getvalue() + errors.getvalue()

    def test_accepted(self):
        defaults = {"kernels": ["one", "two"], "repeat": 3, "limit": 60, "out": None, "quick": False}
        self.assertEqual(vars(self.parsed()), defaults)
        options = self.parsed("--kernels", "two", "--repeat", "9", "--limit", "0.5", "--out", "file")
        self.assertEqual((options.kernels, options.repeat, options.limit, options.out),
                         (["two"], 9, 0.5, pathlib.Path("file")))  # fmt: skip
        self.assertEqual(self.parsed("--help"), (0, "The text.\n"))

    def test_refused(self):
        for given, said in ((["--repeat", "0"], "at least one"), (["--limit", "0"], "a time limit"),
                            (["--limit", "x"], "'x'"), (["--kernels", "one,other"], "no 'other', want some of one,two"),
                            (["--kernels", ""], "''"), (["--quick", "--out", "b"], "--quick"),
                            (["--rep", "3"], "--rep"), (["more"], "more")):  # fmt: skip
            status, error = self.parsed(*given)
            self.assertEqual((status, error.count("\n")), (2, 1), given)
            self.assertTrue(error.startswith("bench: "), error)
            self.assertIn(said, error)


class Whole(unittest.TestCase):
    def test_the_report_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.json"
            self.assertEqual(harness.main("bench", lambda options: {"a": 1}, argparse.Namespace(out=out)), 0)
            self.assertEqual(json.loads(out.read_text()), {"a": 1})

    def test_a_failure_is_one_line(self):
        def fails(_):
            raise Failure("it does not run")

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as errors:
            out = pathlib.Path(folder) / "out.json"
            self.assertEqual(harness.main("bench", fails, argparse.Namespace(out=out)), 1)
            self.assertFalse(out.exists())
        self.assertEqual(errors.getvalue(), "bench: it does not run\n")


if __name__ == "__main__":
    unittest.main()
