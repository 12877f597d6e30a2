#!/usr/bin/env python3
"""Tests of the estimates in the table of chapters."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import hours  # noqa: E402

SOLUTION = """  //@stub
  //@ // TODO
  //@solution
  // why
  a = 1;

  b = 2;
  //@end
  c = 3;
"""
TABLE = """It takes about 0 hours.

| no. | chapter | you find out | time |
|---|---|---|---:|
| | **A part** | | |
| 00 | [One](chapters/00_one/README.md) | how it goes | |
"""


class Hours(unittest.TestCase):
    def test_lines_to_write(self):
        self.assertEqual(hours.lines_to_write(SOLUTION), 2)
        self.assertEqual(hours.lines_to_write("a = 1;\n"), 0)

    def test_a_page_and_an_exercise(self):
        self.assertAlmostEqual(hours.page_minutes("word " * 300 + "\n```cuda\n" + "x;\n" * 30 + "```\n"), 4)
        self.assertAlmostEqual(hours.exercise_minutes("word " * 150, [SOLUTION, SOLUTION]), 1 + 15 + 12)

    def test_the_table(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(hours, "ROOT", pathlib.Path(name)), \
                mock.patch.object(hours, "README", pathlib.Path(name) / "README.md"):  # fmt: skip
            page = hours.ROOT / "chapters/00_one/README.md"
            page.parent.mkdir(parents=True)
            page.write_text("word " * 150 * 100, encoding="utf-8")
            hours.README.write_text(TABLE, encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual([hours.main(how) for how in (["--check"], [], ["--check"])], [1, 0, 0])
                text = hours.README.read_text(encoding="utf-8")
                self.assertIn("| how it goes | 1.5 h |\n", text)
                self.assertIn("about 2 hours", text)
                hours.README.write_text(text.replace("1.5 h", "2 h"), encoding="utf-8")
                self.assertEqual(hours.main(["--check"]), 1)
            hours.README.write_text("Nothing.\n", encoding="utf-8")
            with self.assertRaisesRegex(SystemExit, "no table of chapters"):
                hours.main([])
        with self.assertRaisesRegex(SystemExit, "hours: want"):
            hours.main(["--all"])


if __name__ == "__main__":
    unittest.main()
