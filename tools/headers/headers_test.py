#!/usr/bin/env python3
"""Tests of the made headers, as they are made: each with a program that has nothing else of the course.

    headers_test.py [--compiler EMUCC_OR_NVCC]
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent

spec = importlib.util.spec_from_file_location("headers", HERE / "__main__.py")
tool = importlib.util.module_from_spec(spec)
sys.modules["headers"] = tool
spec.loader.exec_module(tool)
NO_DEVICE = "no CUDA-capable device"
compiler = None


class Text(unittest.TestCase):
    def test_nothing_of_the_course_is_included(self):
        for name in tool.MADE:
            text = tool.make(name)
            self.assertNotIn('#include "', "\n".join(x for x in text.splitlines() if not x.startswith("//")))
            self.assertTrue(text.startswith(f"// {name}: "))
            self.assertIn("// MIT License", text)
            self.assertEqual(text.count("#pragma once"), 1)
            self.assertNotIn("command line", text)  # of the chapters' programs

    def test_what_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder).resolve()
            (tree / "a.hpp").write_text('#if 1\n#include "b.hpp"\n#endif\n', encoding="utf-8")
            (tree / "c.hpp").write_text('#include "nowhere.hpp"\n', encoding="utf-8")
            with mock.patch.object(tool, "ROOT", tree), mock.patch.object(tool, "SHARED", tree / "shared"):
                with self.assertRaisesRegex(tool.CannotMake, "a.hpp:2: an #include that depends on a condition"):
                    tool.Parts(tree / "a.hpp")
                with self.assertRaisesRegex(tool.CannotMake, '"nowhere.hpp" is neither in'):
                    tool.Parts(tree / "c.hpp")

    def test_an_unknown_name(self):
        run = subprocess.run([sys.executable, HERE, "/nowhere", "dgemm.hpp"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("no header is called dgemm.hpp", run.stderr)


class Trials(unittest.TestCase):
    def setUp(self):
        if compiler is None:
            self.skipTest("no compiler was named")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        for name in tool.MADE:
            (self.folder / name).write_text(tool.make(name), encoding="utf-8")

    def compiled(self, *sources, **environment):
        program = self.folder / "trial"
        # To optimise takes longer than all trials, and their results are the same.
        command = [compiler, "-std=c++20", "-arch=sm_90a", "-O0", "-I", self.folder, "-I", HERE / "trials", *sources, "-o",
                   program]
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(run.returncode, 0, run.stderr)
        return program

    def try_one(self, name):
        # clang is asked about all headers at once, below.
        program = self.compiled(HERE / "trials" / name.replace(".hpp", ".cu"), EMULATOR_CLANG="none")
        run = subprocess.run([program], capture_output=True, text=True)
        if NO_DEVICE in run.stdout:
            self.skipTest("compiled; there is no device to run it on")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, rf"{name}: \d+ products are right")

    def test_sgemv(self):
        self.try_one("sgemv.hpp")

    def test_sgemm(self):
        self.try_one("sgemm.hpp")

    def test_gemm_bf16(self):
        self.try_one("gemm_bf16.hpp")

    def test_all_in_one_program_of_two_files(self):
        for name in ("one.cu", "two.cu"):
            text = "".join(f'#include "{header}"\n' for header in tool.MADE)
            (self.folder / name).write_text(text + ("int main() {}\n" if name == "one.cu" else ""), encoding="utf-8")
        self.compiled(self.folder / "one.cu", self.folder / "two.cu")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler")
    known, rest = parser.parse_known_args()
    compiler = known.compiler
    unittest.main(argv=[sys.argv[0], *rest])
