#!/usr/bin/env python3
"""Tests of kernels.py: a listing is the function as its file has it, below a link to its lines."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import kernels

SOURCE = """#include "x.hpp"

// Fills y.
__global__ void fill(float* y) {
  y[threadIdx.x] = 0.0F;

}
"""
MARKS = "<!-- kernel: x.cu fill -->\n{}<!-- end of kernel -->\n"


class Listings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "README.md"
        (self.page.parent / "x.cu").write_text(SOURCE, encoding="utf-8")

    def test_it_is_the_code_and_nothing_else(self):
        wanted = ("`fill` in [x.cu](x.cu#L3-L7), lines 3 to 7:\n\n"
                  "```cuda\n" + "\n".join(SOURCE.split("\n")[2:7]) + "\n```\n")
        self.assertEqual(kernels.updated(self.page, MARKS.format("")), MARKS.format(wanted))
        self.assertEqual(kernels.updated(self.page, MARKS.format("old\n")), MARKS.format(wanted))

    def test_what_is_not_there_is_one_line(self):
        for text in ("<!-- kernel: y.cu fill -->\n<!-- end of kernel -->\n",
                     "<!-- kernel: x.cu copy -->\n<!-- end of kernel -->\n"):
            with self.assertRaises(SystemExit) as left:
                kernels.updated(self.page, text)
            self.assertRegex(str(left.exception.code), r"^kernels: [^\n]+$")


if __name__ == "__main__":
    unittest.main()
