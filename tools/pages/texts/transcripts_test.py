#!/usr/bin/env python3
"""Tests of transcripts.py: what passes for an extract of an output, and what does not."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import transcripts  # noqa: E402

OUTPUT = """first
kernel      requests  emul. s
coalesced     262144    0.218
middle one
middle two
The site: /somewhere/site/index.html
last
"""


def found(shown, printed=OUTPUT):
    return transcripts.missing(shown, printed) is None


class Extracts(unittest.TestCase):
    def test_the_whole_output(self):
        self.assertTrue(found(OUTPUT))
        self.assertFalse(found(OUTPUT.replace("262144", "262145")))

    def test_times_may_differ_and_nothing_else(self):
        self.assertTrue(found(OUTPUT.replace("0.218", "1.500")))
        self.assertTrue(found("01 a  4.00  256  0.124  -\n", "01 a  4.00  256  0.900  -\n"))
        self.assertFalse(found("01 a  4.00  256  0.124  -\n", "01 a  4.00  256  0.900  0.1\n"))
        self.assertFalse(found("01 a  4.00  256  0.124  -\n", "01 a  4.50  256  0.124  -\n"))
        self.assertTrue(found("0 skipped, in 1 min 18 s. Here\n", "0 skipped, in 9 s. Here\n"))

    def test_dots_leave_lines_out(self):
        self.assertTrue(found("first\n…\nmiddle one\n…\nlast\n"))
        self.assertTrue(found("…\nmiddle one\nmiddle two\n…\n"))
        self.assertTrue(found("first\n…\n"))
        self.assertTrue(found("…\nlast\n"))

    def test_lines_that_are_left_out_without_dots_are_seen(self):
        self.assertFalse(found("middle one\n…\n"))
        self.assertFalse(found("…\nmiddle one\n"))
        self.assertFalse(found("first\n…\nmiddle one\nlast\n"))

    def test_the_order_counts(self):
        self.assertFalse(found("…\nmiddle two\n…\nmiddle one\n…\n"))

    def test_no_line_counts_twice(self):
        self.assertFalse(found("…\nmiddle one\n…\nmiddle one\n…\n"))

    def test_dots_within_a_line(self):
        self.assertTrue(found("…\nThe site: …/site/index.html\n…\n"))
        self.assertFalse(found("…\nThe site: …/site/other.html\n…\n"))

    def test_more_than_there_is(self):
        self.assertFalse(found(OUTPUT + "one more\n"))
        self.assertFalse(found("…\nlast\none more\n"))


class Progress(unittest.TestCase):
    def test_how_far_a_slow_machine_is_does_not_count(self):
        slow = ("course: building the course program\nbuilding exercise_00a\nbuilding exercise_00a [4/6] 10 s\n"
                "building exercise_00a [5/6] compiling common/b.cpp\n"
                "building exercise_00a [10/12] 120 s, compiling common/a.cpp\n00a  The five steps\n"
                "running 02\nrunning 02 1 min 10 s\n"
                "compiling exercises/00a_five_steps/five_steps.cu\nlast\n")  # fmt: skip
        self.assertEqual(transcripts.without_progress(slow), "00a  The five steps\nlast\n")

    def test_what_only_looks_like_it_counts(self):
        for line in ("building blocks of a grid\n", "building exercise_00a [4/6] soon\n", "00a building x\n"):
            self.assertEqual(transcripts.without_progress(line), line)


class Pages(unittest.TestCase):
    def test_the_page_has_what_is_to_be_compared(self):
        commands = [command for command, _ in transcripts.transcripts(transcripts.PAGE.read_text())]
        for command in ("tour", "run 02", "traffic 02", "check 00a", "docs"):
            self.assertIn(command, commands)

    def test_a_command_that_prints_something_else(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(transcripts.main(["--run", "echo"]), 1)
        self.assertIn("./course run 02 does not print this", said.getvalue())

    def test_bad_input_is_one_line(self):
        for arguments in (["--runs"], ["--run"], ["--run", "/nowhere/course"]):
            with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(transcripts.main(arguments), 2)
            self.assertEqual(len(said.getvalue().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
