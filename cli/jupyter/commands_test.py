#!/usr/bin/env python3
"""Tests of %course without a notebook, in a checkout whose ./course is a stand-in: commands_test.py"""

import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "emulator/tools/packaging/python")]
from course_jupyter import views  # noqa: E402
from course_jupyter.checkout import Checkout, CourseError  # noqa: E402
from course_jupyter.commands import AT_A_TERMINAL, COMMANDS, Session  # noqa: E402

# It says what it was called with; of check it writes how that went, of picture a drawing.
STAND_IN = """#!/bin/sh
[ "$1" = --no-install ] || exit 9
shift
case $* in
  check*) while [ "$1" != --json ]; do shift; done; cp "$(dirname "$0")/checked.json" "$2"; exit 1 ;;
  picture*--out*) while [ "$1" != --out ]; do shift; done; echo '<svg><title>drawn</title></svg>' >"$2" ;;
  run*wrong*) echo 'course: no such chapter' >&2; exit 2 ;;
  run*forever*) sleep 60 ;;
  *) echo "called with $*" ;;
esac
"""
SOURCE = "one\ntwo\nthree <T>\nfour\nfive\nsix\n"
CHECKED = {
    "id": "01a", "name": "01a_residual", "title": "About residual", "file": "exercises/01a_residual/residual.cu",
    "as_handed_out": False, "solved": False, "summary": "1 of 2 cases failed", "points": 4, "of": 10, "messages": [],
    "cases": [{"name": "correct: one", "state": "passed", "points": 4, "message": ""},
              {"name": "safe: <two>", "state": "failed", "points": 6, "message": "a race\nat residual.cu:3"}]}  # fmt: skip


class Course(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        self.write("course", STAND_IN).chmod(0o755)
        self.tell(CHECKED)
        self.file = self.write("exercises/01a_residual/residual.cu", SOURCE)
        listed = {"exercises": [{"id": "01a", "name": "01a_residual", "file": "residual.cu"}]}
        self.write("build/emulator/exercises.json", json.dumps(listed))
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ["COURSE_CHECKOUT"] = str(self.folder)
        for name in ("COURSE_BUILD_DIR", "COURSE_HAND_IN_URL", "JUPYTERHUB_API_TOKEN", "COURSE_CELL_SECONDS"):
            os.environ.pop(name, None)
        self.session = Session()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def tell(self, *exercises):
        self.write("checked.json", json.dumps({"exercises": exercises}))

    def refused(self, text, line, cell=None):
        with self.assertRaises(CourseError) as problem:
            self.session.obey(line, cell)
        self.assertIn(text, str(problem.exception))
        self.assertNotIn("\n", str(problem.exception))

    # ---------------------------------------------------------------- what a check shows

    def test_a_check_shows_points_and_marks_the_line_of_a_finding(self):
        page = self.session.obey("check 01a")
        self.assertIn("failed   safe: <two>\n    a race\n    at residual.cu:3\n", page.text())
        self.assertTrue(page.text().endswith("01a is not solved yet: 1 of 2 cases failed; 4 of 10 points."))
        shown = page.html()
        self.assertIn("safe: &lt;two&gt;", shown)
        self.assertIn("<b>   3  three &lt;T&gt;</b>", shown)
        self.assertEqual(shown.count("<b>"), 1)
        self.assertIn("   5  five", shown)
        self.assertNotIn("   6  six", shown)
        self.assertIn("width:40%", shown)
        self.assertIn("%course hint 01a", shown)

    def test_what_does_not_compile_shows_its_line(self):
        self.tell(CHECKED | {"cases": [], "points": None,
                             "messages": ["exercises/01a_residual/residual.cu:1:5: error: x"]})  # fmt: skip
        shown = self.session.obey("check 01a").html()
        self.assertIn("<b>   1  one</b>", shown)
        self.assertNotIn("points", shown)

    def test_lines_are_named_once_and_only_those_of_the_file(self):
        text = "residual.cu:3: and residual.cu:3, my_residual.cu:2 (at a/residual.cu:40:1)"
        self.assertEqual(views.named_lines(text, "residual.cu"), [3, 40])
        self.assertIsNone(views.excerpt(SOURCE, 40))

    def test_a_solved_one_offers_no_hint(self):
        self.tell(CHECKED | {"solved": True, "summary": "all 2 cases passed", "points": 10})
        self.assertNotIn("hint", self.session.obey("check 01a").html())

    # ---------------------------------------------------------------- the cell as the student's file

    def test_a_cell_is_saved_and_what_it_replaces_is_kept(self):
        page = self.session.obey("check 01a", "mine\n\n")
        self.assertEqual(self.file.read_text(), "mine\n")
        kept = list((self.folder / ".course/kept").iterdir())
        self.assertEqual([path.read_text() for path in kept], [SOURCE])
        self.assertIn(kept[0].name, page.text())
        self.session.obey("check 01a", "mine again")  # what a cell wrote itself is not kept
        self.assertEqual(self.file.read_text(), "mine again\n")
        self.assertEqual(len(list((self.folder / ".course/kept").iterdir())), 1)

    def test_a_cell_with_the_same_text_changes_nothing(self):
        os.utime(self.file, (1, 1))
        self.session.obey("check 01a", SOURCE)
        self.assertEqual(self.file.stat().st_mtime, 1)
        self.assertFalse((self.folder / ".course").exists())

    # ---------------------------------------------------------------- commands

    def test_commands_are_those_of_the_script(self):
        script = (HERE.parents[1] / "course").read_text(encoding="utf-8")
        there = script.split("commands='")[1].split("'")[0].split()
        self.assertEqual(sorted((*COMMANDS, *AT_A_TERMINAL)), sorted(there))

    def test_other_commands_show_what_they_say(self):
        self.assertEqual(self.session.obey("run 02 --rows 9").text(), "called with run 02 --rows 9")
        self.assertIn("course: no such chapter\n\nexit status 2", self.session.obey("run wrong").text())

    def test_a_picture_is_drawn_and_without_a_line_there_is_a_list(self):
        self.assertIn("data:image/svg+xml", self.session.obey("picture 02 --line 19 -- --banks").html())
        self.assertEqual(self.session.obey("picture 02").text(), "called with picture 02")

    def test_a_command_that_does_not_end_is_ended(self):
        os.environ["COURSE_CELL_SECONDS"] = "0.3"
        self.assertIn("stopped after 0.3 s", self.session.obey("run forever").text())

    def test_what_cannot_be_is_one_line(self):
        self.refused("no command 'frob'", "frob")
        self.refused("watch is for a terminal", "watch 01a")
        self.refused("%%course check 01a", "hint 01a", "text")
        self.refused("no exercise '99z'", "check 99z", "text")
        self.refused("hand-in wants an exercise", "hand-in")
        self.refused("no hub here", "hand-in 01a")
        self.refused("No closing quotation", "run 'a")
        os.environ["COURSE_CHECKOUT"] = str(self.folder / "exercises")
        with self.assertRaises(CourseError):
            Checkout()

    # ---------------------------------------------------------------- handing in

    def test_hand_in_sends_the_file_with_the_token(self):
        got = []

        class Service(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"]))
                got.append((self.path, self.headers["Authorization"], text))
                self.send_response(200 if len(got) == 1 else 413)
                self.end_headers()
                self.wfile.write(b'{"bytes": 1234, "time": "12:00:00"}' if len(got) == 1 else b"it is too large")

            def log_message(self, *_arguments):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Service) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            os.environ |= {"COURSE_HAND_IN_URL": f"http://127.0.0.1:{server.server_port}/in/",
                           "JUPYTERHUB_API_TOKEN": "secret"}  # fmt: skip
            page = self.session.obey("hand-in 1a")
            self.refused("01a was not handed in: it is too large", "hand-in 01a")
            server.shutdown()
        self.assertEqual(got[0], ("/in/01a_residual", "token secret", SOURCE.encode()))
        self.assertEqual(page.text(), "handed in: residual.cu of 01a, 1,234 bytes, at 12:00:00")


if __name__ == "__main__":
    unittest.main()
