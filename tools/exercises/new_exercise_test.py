#!/usr/bin/env python3
"""Tests of new_exercise.py in a course of folders: what it makes, and what it refuses. That what it makes is built and
proved, cmake.made_up_test sees."""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import new_exercise  # noqa: E402

LINES = """# One line an exercise.
include(exercises)

course_add_exercise(01a_residual TITLE "The residual" KIND build POINTS 10)
course_add_exercise(
  15c_graph TITLE "A graph" KIND build POINTS 10
  NEEDS cudaGraphLaunch)

course_write_exercise_list()
"""
PAGE = "# Exercises\n\n<!-- list: exercises -->\nold\n<!-- end of list -->\n\nMore.\n"


class NewExercise(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("chapters/01_global", "chapters/15_streams", "exercises/01a_residual", "solutions/01a_residual"):
            (self.root / name).mkdir(parents=True)
        for name in ("01_global", "15_streams"):
            (self.root / "chapters" / name / "README.md").write_text("# A page\n")
        (self.root / "exercises" / "CMakeLists.txt").write_text(LINES)
        (self.root / "exercises" / "README.md").write_text(PAGE)
        for name in ("01a_residual", "15c_graph"):
            (self.root / "exercises" / name).mkdir(exist_ok=True)
            (self.root / "exercises" / name / "README.md").write_text("# Exercise: what it is\n")

    def there(self):
        return {str(path.relative_to(self.root)): path.read_text() for path in self.root.rglob("*") if path.is_file()}

    def call(self, *arguments, proved=True):
        with mock.patch.object(new_exercise, "prove", return_value=proved) as prove, \
                contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
            status = new_exercise.main(["build", *arguments], self.root)
        return status, said.getvalue(), prove.called

    def test_makes_all_files_with_its_names(self):
        before = set(self.there())
        self.assertEqual(self.call("01b", "row_sums")[0], 0)
        made = {name: text for name, text in self.there().items() if name not in before}
        self.assertEqual(sorted(made), [
            *(f"exercises/01b_row_sums/{name}" for name in ("README.md", "boundary.cpp", "check.cpp", "hints.md")),
            "solutions/01b_row_sums/row_sums.cu",
            *(f"solutions/01b_row_sums/wrong/{name}.patch"
              for name in ("empty_launch", "grid_rounded_down", "no_guard", "two_stores"))])  # fmt: skip
        for name, text in made.items():
            self.assertIsNone(re.search(r"@[A-Z_]+@", text), name)
        self.assertIn("void launch_row_sums(", made["exercises/01b_row_sums/check.cpp"])
        self.assertIn("../../chapters/01_global/README.md", made["exercises/01b_row_sums/README.md"])

    def test_has_a_row_in_the_list_of_the_page(self):
        self.call("01b", "row_sums")
        page = (self.root / "exercises" / "README.md").read_text()
        self.assertIn("[01b](01b_row_sums/README.md): row sums", page)
        self.assertNotIn("old", page)
        self.assertTrue(page.startswith("# Exercises") and page.endswith("\n<!-- end of list -->\n\nMore.\n"))

    def test_adds_its_line_in_the_order_of_the_list(self):
        for ident in ("15d", "01b", "15a"):
            self.assertEqual(self.call(ident, "name")[0], 0)
        text = (self.root / "exercises" / "CMakeLists.txt").read_text()
        self.assertEqual(re.findall(r"course_add_exercise\(\s*(\d\d[a-z])", text), ["01a", "01b", "15a", "15c", "15d"])
        self.assertEqual(text.replace(' TITLE "Name" KIND build POINTS 10)\n', "").count("_name"), 3)
        self.assertIn("NEEDS cudaGraphLaunch)\ncourse_add_exercise(15d_name", text)
        self.assertTrue(text.endswith("\ncourse_write_exercise_list()\n"))

    def test_adds_its_line_where_no_empty_line_precedes_the_end(self):
        build_list = self.root / "exercises" / "CMakeLists.txt"
        build_list.write_text(LINES.replace("\n\ncourse_write", "\ncourse_write"))
        self.call("15d", "name")
        line = 'course_add_exercise(15d_name TITLE "Name" KIND build POINTS 10)'
        self.assertIn(f")\n{line}\ncourse_write", build_list.read_text())

    def test_refuses_bad_names_and_leaves_everything_as_it_was(self):
        before = self.there()
        of_ids = [(ident, "name", "an exercise's id is")
                  for ident in ("1a", "01", "01ab", "../a", "\u0661\u0661a", "01A", "01a\n")]
        of_names = [("01b", name, "a name is made of")
                    for name in ("", "Name", "a-b", "a__b", "_a", "a_", "a/b", "2d", "a" * 31, "a\n", "\u00e4")]
        others = [("23a", "name", "there is no chapter 23: chapters are 01 to 15"),
                  ("01a", "other", "01a_residual is there already"), ("15c", "other", "15c_graph is there already")]
        for ident, name, why in [*of_ids, *of_names, *others]:
            status, said, proved = self.call(ident, name)
            self.assertEqual((status, proved, said.count("\n")), (2, False, 1), (ident, name, said))
            self.assertIn(why, said)
            self.assertEqual(self.there(), before)

    def test_refuses_an_id_that_the_build_knows(self):
        (self.root / "exercises" / "15c_graph" / "README.md").unlink()
        (self.root / "exercises" / "15c_graph").rmdir()
        status, said, _ = self.call("15c", "graphs")
        self.assertEqual((status, said), (2, "course: exercises/CMakeLists.txt has an exercise 15c already\n"))

    def test_refuses_a_copy_without_solutions(self):
        (self.root / "solutions" / "01a_residual").rmdir()
        (self.root / "solutions").rmdir()
        status, said, _ = self.call("01b", "name")
        self.assertEqual(status, 2)
        self.assertIn("no solutions/", said)

    def test_leaves_nothing_behind_if_it_cannot_write(self):
        before = self.there()
        with mock.patch.object(pathlib.Path, "write_text", side_effect=OSError("disk full")):
            status, said, _ = self.call("01b", "name")
        self.assertEqual((status, said), (2, "course: disk full\n"))
        self.assertEqual(self.there(), before)
        self.assertFalse((self.root / "exercises" / "01b_name").exists())

    def test_says_if_it_is_not_proved(self):
        status, said, _ = self.call("01b", "name", proved=False)
        self.assertEqual(status, 1)
        self.assertIn("01b is made, and not proved", said)


if __name__ == "__main__":
    unittest.main()
