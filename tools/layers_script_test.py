#!/usr/bin/env python3
"""Tests of emulator/tests/layers_test.py, on made-up trees in a temporary folder."""

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "emulator/tests"))
import layers_test as layers  # noqa: E402

TABLE = """
tree ..
find include
upper: lower
upper tests: helpers
lower:
lower/deep: lower
helpers:
lines 5
files 3
"""
FILES = {
    "upper/a.cpp": '#include "lower/b.hpp"\n#include "unknown.hpp"\n#include "b_of_include.hpp"\n',
    "upper/a_test.cpp": '#include "../helpers/h.hpp"\n',
    "lower/b.hpp": "#pragma once\n",
    "lower/deep/d.hpp": '#include "../b.hpp"\n',
    "helpers/h.hpp": "",
    "include/b_of_include.hpp": "",
    "include/lower/b.hpp": "",
}


class Trees(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = Path(scratch.name)
        for name, text in FILES.items():
            self.write(name, text)
        self.write("upper/a.cpp", FILES["upper/a.cpp"].replace("lower/b", "../lower/b"))

    def write(self, name, text):
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text, encoding="utf-8")

    def problems(self, table=TABLE):
        self.write("table/layers.txt", table)
        return list(layers.wrong_with(layers.Table(self.tree / "table/layers.txt")))

    def test_a_tree_that_is_as_its_table_says(self):
        self.assertEqual(self.problems(), [])

    def test_an_edge_that_is_not_in_the_table(self):
        self.write("lower/c.cpp", '  #  include <upper/a.hpp>\n#include "../upper/a.cpp"\n')
        self.assertEqual(self.problems(), ['lower/c.cpp: includes "../upper/a.cpp", but lower may not include upper'])

    def test_an_include_that_is_found_through_a_folder_of_the_command_line(self):
        self.write("lower/c.cpp", '#include "upper/a.cpp"\n')
        self.assertEqual(self.problems(), [])  # nobody finds it
        wanted = ['lower/c.cpp: includes "upper/a.cpp", but lower may not include upper']
        self.assertEqual(self.problems(TABLE + "find .\n"), wanted)
        self.assertEqual(self.problems(TABLE + "find in lower .\n"), wanted)
        self.assertEqual(self.problems(TABLE + "find in upper .\n"), [])

    def test_what_a_test_may_nobody_else_may(self):
        self.write("upper/c.cpp", '#include "../helpers/h.hpp"\n')
        self.assertEqual(self.problems(),
                         ['upper/c.cpp: includes "../helpers/h.hpp", but upper may not include helpers'])
        (self.tree / "upper/c.cpp").rename(self.tree / "upper/test.cpp")
        self.assertEqual(self.problems(), [])

    def test_a_line_that_nothing_needs(self):
        table = TABLE.replace("helpers:", "helpers: lower") + "nothing:\nlonger upper/a.cpp\nagainst helpers upper\n"
        self.assertEqual(self.problems(table), [
            "the table lets helpers include lower, which nothing there does",
            "the table excuses that helpers includes upper, which nothing there does",
            "the table has a room nothing, which is not there",
            "the table excuses upper/a.cpp, which has 3 lines",
        ])

    def test_a_cycle(self):
        self.write("lower/c.cpp", '#include "../upper/a.cpp"\n')
        self.assertEqual(self.problems(TABLE.replace("lower:", "lower: upper")), ["a cycle: lower -> upper -> lower"])
        self.assertEqual(self.problems(TABLE + "against lower upper\n"), [])

    def test_folders_that_are_apart(self):
        table = TABLE + "apart upper\n"
        self.write("upper/one/c.cpp", '#include "c.hpp"\n#include "../top.hpp"\n#include "../two/d.hpp"\n')
        for name in ("upper/one/c.hpp", "upper/top.hpp", "upper/two/d.hpp"):
            self.write(name, "")
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.problems(table), ['upper/one/c.cpp: includes "../two/d.hpp", of another folder'])
        self.assertEqual(self.problems(table + "beside upper/one/c.cpp upper/two\n"), [])
        wanted = "the table excuses that upper/a.cpp includes something of upper/two, which it does not"
        self.assertIn(wanted, self.problems(table + "beside upper/a.cpp upper/two\n"))

    def test_a_long_file_and_a_full_folder(self):
        self.write("upper/long.py", "\n" * 6)
        self.write("upper/data.json", "\n" * 60)  # no source
        wrong = ["upper/long.py: 6 lines, more than 5", "upper: 4 files, more than 3"]
        self.assertEqual(self.problems(), wrong)
        self.assertEqual(self.problems(TABLE + "longer upper/long.py\nfuller upper\n"), [])

    def test_in_a_checkout_what_git_ignores_does_not_count(self):
        subprocess.run(["git", "init", "-q"], cwd=self.tree, check=True)
        self.write(".gitignore", "build\n")
        self.write("build/lower/c.cpp", "\n" * 60)
        self.assertEqual(self.problems(TABLE + "build:\n"), ["the table has a room build, which is not there"])

    def test_a_copy_in_a_folder_that_is_ignored_counts(self):
        self.write("build/copy/lower/c.cpp", "\n" * 6)
        self.write(".gitignore", "build\n")
        subprocess.run(["git", "init", "-q"], cwd=self.tree, check=True)
        self.tree = self.tree / "build/copy"
        self.assertEqual(self.problems("tree ..\nlower:\nlines 5\n"), ["lower/c.cpp: 6 lines, more than 5"])

    def test_a_table_that_makes_no_sense_ends_it(self):
        for line in ("rooms 5", "upper: attic", "attic tests: lower"):
            with self.subTest(line), self.assertRaises(SystemExit):
                self.problems(TABLE + line + "\n")

    def test_the_exit_status(self):
        self.write("table/layers.txt", TABLE)
        shown = io.StringIO()
        with mock.patch.object(sys, "argv", ["layers_test.py", str(self.tree / "table/layers.txt")]), \
                contextlib.redirect_stdout(shown):
            self.assertEqual(layers.main(), 0)
            self.write("upper/long.py", "\n" * 6)
            self.assertEqual(layers.main(), 1)
        self.assertIn("4 rooms, 2 edges between them: 1 problems", shown.getvalue())


if __name__ == "__main__":
    unittest.main()
