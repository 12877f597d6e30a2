#!/usr/bin/env python3
"""Tests of bench_checks.py: bench_checks_test.py PROGRAM runs the emulator's side, with tiny sizes;
bench_checks_test.py --oclgrind the other, where that is installed (exit status 77: it is not)."""

import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import bench_checks
import harness

PROGRAM = ""
SIZES = (1, 17, 256, 257)


class Sources(unittest.TestCase):
    cuda = (bench_checks.HERE / "kernels.cuh").read_text()
    opencl = (bench_checks.HERE / "kernels.cl").read_text()

    def test_the_same_kernels(self):
        harness.compare_sources(self.cuda, self.opencl)

    def test_other_kernels(self):
        for old, new in (("tile[t + 2]", "tile[t + 1]"), ("  barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
                         ("global const", "constant")):  # fmt: skip
            self.assertIn(old, self.opencl)
            with self.assertRaisesRegex(harness.Failure, "kernels.cl differs"):
                harness.compare_sources(self.cuda, self.opencl.replace(old, new, 1))


class CommandLine(unittest.TestCase):
    def test_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for given, said in (([], "build"), (["a", "b"], "b"), (["--repeat", "0"], "at least one"),
                                (["--limit", "0"], "a time limit"), (["--limit", "x"], "'x'"),
                                (["--kernels", "saxpy,other"], "'other'"), (["--quick", "--out", "b"], "--quick"),
                                (["/nowhere"], "/nowhere is not a configured build folder")):  # fmt: skip
                (pathlib.Path(folder) / "CMakeCache.txt").touch()
                if given and given[0].startswith("--"):
                    given = [folder, *given]
                error = io.StringIO()
                with contextlib.redirect_stderr(error), self.assertRaises(SystemExit) as left:
                    bench_checks.arguments(given)
                self.assertEqual((left.exception.code, error.getvalue().count("\n")), (2, 1), given)
                self.assertTrue(error.getvalue().startswith("bench_checks: "), error.getvalue())
                self.assertIn(said, error.getvalue())


class OurSide(unittest.TestCase):
    def setUp(self):
        self.side = bench_checks.Emulator(PROGRAM, True)

    def test_results_and_counts(self):
        for kernel in bench_checks.KERNELS:
            for size in SIZES[: 2 if kernel == "gemm" else None]:
                with self.subTest(kernel=kernel, size=size):
                    self.side.run(kernel, size)
                    self.assertEqual(self.side.count(kernel, size), bench_checks.accesses(kernel, size))
        self.side.run("empty", 1)
        self.assertEqual(self.side.count("empty", 1), 0)

    def test_mistakes(self):
        for mistake in bench_checks.MISTAKES:
            with self.subTest(mistake=mistake):
                self.assertTrue(self.side.finds(mistake))
                self.assertFalse(bench_checks.Emulator(PROGRAM, False).finds(mistake))

    def test_wrong_results(self):
        with self.assertRaisesRegex(harness.Failure, "missing_barrier 100: status "):
            self.side.run("missing_barrier", 100)

    def test_refused(self):
        for given in ([], ["saxpy"], ["other", "1"], ["saxpy", "0"], ["saxpy", ""], ["saxpy", "1x"], ["gemm", "5000"],
                      ["saxpy", "1", "2"], ["saxpy", "99999999999999999999"]):  # fmt: skip
            done = subprocess.run([PROGRAM, *given], check=False, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), given)


class OtherSide(unittest.TestCase):
    def test_results_counts_and_mistakes(self):
        with tempfile.TemporaryDirectory() as folder:
            side = bench_checks.Oclgrind(folder)
            side.build()
            self.assertRegex(side.version(), r"^\d+\.\d+")
            side.run("empty", 1)
            for kernel in bench_checks.KERNELS:
                for size in (1, 17):
                    with self.subTest(kernel=kernel, size=size):
                        side.run(kernel, size)
                        self.assertEqual(side.count(kernel, size), bench_checks.accesses(kernel, size))
            for mistake in bench_checks.MISTAKES:
                with self.subTest(mistake=mistake):
                    self.assertTrue(side.finds(mistake))
                    with self.assertRaises(harness.Failure):
                        side.run(mistake, 1000)


def opencl_is_there():
    with tempfile.TemporaryDirectory() as folder:
        return harness.can_build_opencl(os.environ.get("CC") or "cc", folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["--oclgrind"]:
        if not shutil.which("oclgrind") or not opencl_is_there():
            print(f"SKIPPED: oclgrind, or what builds its side, is not here (Debian: {bench_checks.PACKAGES})")
            sys.exit(77)
        unittest.main(argv=sys.argv[:1] + ["OtherSide"])
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} PROGRAM | --oclgrind", file=sys.stderr)
        sys.exit(2)
    PROGRAM = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + ["Sources", "CommandLine", "OurSide"])
