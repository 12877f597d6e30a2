#!/usr/bin/env python3
"""Tests of exercise_list.py with exercises of its own, and that every exercise is in the list."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import exercise_list  # noqa: E402
from places import ROOT  # noqa: E402

ADDED = """# All exercises.
course_add_exercise(01a_sum TITLE "A sum" KIND build POINTS 10)
course_add_exercise(
  01c_more TITLE "More" KIND build POINTS 10
  NEEDS cudaMallocHost)
course_add_exercise(02b_bug TITLE "Bug hunt" KIND mend POINTS 12 CUBLAS)
course_add_exercise(02c_counts TITLE "Counts" KIND explain POINTS 10)
course_add_exercise(02d_slow TITLE "Slow" KIND speed POINTS 10)
course_add_exercise(02e_lines TITLE "Lines" KIND review POINTS 10)
"""


class ExerciseList(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, heading in (("exercises/01a_sum", "Exercise 01a: a sum"),
                              ("exercises/01c_more", "Exercise 01c: more: all"),
                              ("exercises/02b_bug", "Exercise 02b: right for squares"),
                              ("exercises/02c_counts", "Exercise 02c: counts"),
                              ("exercises/02d_slow", "Exercise 02d: a slow kernel"),
                              ("exercises/02e_lines", "Exercise 02e: lines"),
                              ("chapters/01_one", "01 One: the first"), ("chapters/02_two", "02 Two, and more")):  # fmt: skip
            (self.root / name).mkdir(parents=True)
            (self.root / name / "README.md").write_text(f"# {heading}\n\nText.\n", encoding="utf-8")

    def block(self, added):
        (self.root / "exercises/CMakeLists.txt").write_text(added, encoding="utf-8")
        return exercise_list.block("exercises", self.root).splitlines()

    def test_a_line_a_chapter(self):
        self.assertEqual(self.block(ADDED), [
            "| chapter | to build | to mend | other |",
            "|---|---|---|---|",
            "| [01 One](../chapters/01_one/README.md) "
            "| [01a](01a_sum/README.md): a sum; [01c](01c_more/README.md): more: all |  |  |",
            "| [02 Two](../chapters/02_two/README.md) |  | [02b](02b_bug/README.md): right for squares "
            "| [02c](02c_counts/README.md), to explain: counts; [02d](02d_slow/README.md), to speed up: a slow kernel; "
            "[02e](02e_lines/README.md), to review: lines |",
            "",
            "6 exercises, each worth 10 or 12 points.",
        ])  # fmt: skip

    def test_what_it_cannot_read(self):
        with self.assertRaisesRegex(SystemExit, "a line of another form"):
            self.block(ADDED.replace("KIND mend", "KIND other"))
        with self.assertRaisesRegex(SystemExit, "no list of chapters"):
            exercise_list.block("chapters", self.root)

    def test_every_exercise_stands_there(self):
        text = exercise_list.block("exercises")
        folders = {path.parent.name for path in ROOT.glob("exercises/*/README.md")}
        self.assertGreater(len(folders), 40)
        for name in folders:
            self.assertEqual(text.count(f"({name}/README.md)"), 1, name)


if __name__ == "__main__":
    unittest.main()
