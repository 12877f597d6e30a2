#!/usr/bin/env python3
"""Tests of what cells of notebooks do, without a notebook: cells_test.py EMUCC"""

import os
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path.insert(0, str(HERE / "python"))
from emucc import cells  # noqa: E402

TWICE = """#pragma once
__global__ void twice(int* a, int from) { a[threadIdx.x + from] *= 2; }
"""
VECTORS = """#include "twice.hpp"
#include <cstdio>
#include <unistd.h>
int main(int argc, char** argv) {
  if (argc > 1 && *argv[1] == 'w') pause();
  if (argc > 1 && *argv[1] == 'q') return 7;
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) a[i] = i;
  twice<<<1, 32>>>(a, argc - 1);
  cudaDeviceSynchronize();
  std::printf("first %d, last <%d>\\n", a[0], a[31]);
  cudaFree(a);
}
"""


class OptionsTest(unittest.TestCase):
    def test_words_are_sorted_by_whom_they_are_for(self):
        options = cells.Options("--traffic -I 'a folder' --time-limit=2.5 more.cu -lcublas -- --traffic 'a b'")
        self.assertEqual(options.own, {"--traffic": True, "--time-limit": "2.5"})
        self.assertEqual(options.time_limit, 2.5)
        self.assertEqual(options.compiler, ["-I", "a folder", "-lcublas"])
        self.assertEqual(options.sources, ["more.cu"])
        self.assertEqual(options.arguments, ["--traffic", "a b"])

    def test_what_cannot_be_is_one_line(self):
        for line, words in (("--name", "wants a value"), ("--name a/b.cu", "without folders"), ("--save ..", "without"),
                            ("--name cell.txt", "ends in .cu"), ("-c", "is not for cells"), ("-o x", "-o is not for"),
                            ("--picture x", "--picture wants a line"), ("--time-limit 0", "more than 0"),
                            ("--time-limit nan", "more than 0"), ("--gpu --check", "--check is the emulator's"),
                            ("'", "No closing quotation")):  # fmt: skip
            with self.assertRaises(cells.CellError, msg=line) as raised:
                cells.Options(line)
            self.assertIn(words, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))

    def test_pictures_are_named_as_the_listing_numbers_them(self):
        def words(line):
            return cells.Session.access("R", cells.Options(line))
        self.assertEqual(words("--picture 19"), ["R", "--line", "19"])
        self.assertEqual(words("--picture tiles.hpp:7.2 --kernel sum"),
                         ["R", "--kernel", "sum", "--file", "tiles.hpp", "--line", "7", "--instruction", "2"])

    def test_without_a_cell_nothing_runs_again(self):
        with self.assertRaisesRegex(cells.CellError, "no cell has been run"):
            cells.Session().again("--check")

    def test_no_nvcc_or_no_gpu_is_one_line(self):
        path = os.environ["PATH"]
        os.environ["PATH"] = "/nowhere"
        try:
            with self.assertRaisesRegex(cells.CellError, r"^--gpu: .*without --gpu the cell runs on the emulator$"):
                cells.nvcc()
        finally:
            os.environ["PATH"] = path


class RunTest(unittest.TestCase):
    def test_who_is_late_is_ended_with_all_that_it_began(self):
        begin = time.monotonic()
        done = cells.run(["sh", "-c", "sleep 100 & echo $!; sleep 100"], 0.3)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertEqual((done.ending(), done.failed), ("stopped after 0.3 s", True))
        begun = pathlib.Path(f"/proc/{int(done.out)}/stat")
        for _ in range(500):  # a signal takes its time
            if not begun.exists() or begun.read_text(encoding="utf-8").split(") ")[1][0] in "ZX":
                return
            time.sleep(0.01)
        self.fail("what it began still runs")

    def test_who_prints_without_end_is_ended(self):
        done = cells.run(["yes"], 60)
        self.assertEqual(done.ending(), "stopped: it prints without end")
        self.assertLess(len(done.out), 21000)

    def test_endings(self):
        self.assertEqual(cells.run(["sh", "-c", "exit 3"]).ending(), "exit status 3")
        self.assertEqual(cells.run(["sh", "-c", "kill -SEGV $$"]).ending(), "ended by SIGSEGV")


class CellsTest(unittest.TestCase):
    """One session, as in a notebook. Each way to compile costs a second, so the cases are few."""

    @classmethod
    def setUpClass(cls):
        cls.session = cells.Session()
        cls.session.cell("--save twice.hpp", TWICE)
        cls.first = cls.session.cell("", VECTORS)

    def objects(self):
        return [(made, made.stat().st_mtime_ns) for made, _ in self.session.objects.values()]

    def test_a_cell_runs_and_says_how_it_ended(self):
        self.assertEqual(self.first.text(), "first 0, last <62>\n\nexit status 0, on the emulator")
        self.assertIn("last &lt;62&gt;", self.first.html())

    def test_what_cannot_be_seen_does_not_stand_in_the_html(self):
        self.assertEqual(cells.escaped("a\t<b>\n\u202e1\033[2J"), "a\t&lt;b&gt;\n\ufffd1\ufffd[2J")

    def test_again_with_other_arguments_compiles_nothing(self):
        before = self.objects()
        outcome = self.session.again("-- q")
        self.assertEqual((outcome.text(), outcome.status), ("exit status 7, on the emulator", 7))
        outcome = self.session.again("--time-limit 0.2 -- w")
        self.assertIn("stopped after 0.2 s, on the emulator: --time-limit SECONDS allows more", outcome.text())
        self.assertNotEqual(outcome.status, 0)
        self.assertEqual(self.objects(), before)

    def test_listing_findings_and_pictures(self):
        outcome = self.session.again("--traffic --check --picture twice.hpp:2.1 --timeline -- 1")
        self.assertEqual(outcome.status, 3)
        self.assertEqual([kind for kind, _ in outcome.parts],
                         ["output", "errors", "listing", "picture", "picture", "wrong ending"])
        self.assertIn("out-of-bounds", outcome.text())
        self.assertIn("\n  twice.hpp:2: read by thread (31,0,0)", outcome.text())
        self.assertNotIn("emucc-cells", outcome.text())
        self.assertIn("! ", outcome.text())
        page = outcome.html()
        self.assertEqual(page.count("data:image/svg+xml"), 2)
        self.assertIn("<b>emulator: error: out-of-bounds", page)
        # A line that asks for nothing of memory has no picture, and one line says so; so does one that asks twice.
        for line, said in (("1", "no such memory instruction"), ("twice.hpp:2", "with --picture LINE.K: 1 (global load")):
            refused = self.session.again(f"--picture {line}")
            self.assertEqual([kind for kind, _ in refused.parts], ["output", "errors", "ending"])
            self.assertIn(said, refused.parts[1][1])

    def test_what_does_not_compile(self):
        session = cells.Session()
        outcome = session.cell("--name wrong.cpp", "int main() { return x < 1; }\n")
        self.assertNotEqual(outcome.status, 0)
        self.assertRegex(outcome.text(), r"wrong\.cpp:1:21: error: .x. was not declared")
        self.assertRegex(outcome.text(), r"\n\nnot compiled: exit status 1$")
        self.assertNotIn("emucc-cells", outcome.text())
        self.assertIn("return x &lt; 1", outcome.html())

    def test_a_header_that_was_saved_anew_is_compiled_anew(self):
        session = cells.Session()
        session.cell("--save number.hpp", "const int number = 1;\n")
        text = '#include "number.hpp"\nint main() { return number; }\n'
        self.assertEqual(session.cell("--name number.cpp", text).status, 1)
        session.cell("--save number.hpp", "const int number = 2;\n")
        self.assertEqual(session.cell("--name number.cpp", text).status, 2)


if __name__ == "__main__":
    os.environ.update(EMUCC=sys.argv.pop(1), EMULATOR_CLANG="none", LC_ALL="C")
    unittest.main()
