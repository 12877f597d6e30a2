#!/usr/bin/env python3
"""What ./course looks like on terminals: no line is wider than the screen, colours only where they are wanted, and the
keys of `watch`. Each command runs in a terminal of its own.

    cli/script/terminal_test.py COURSE_PROGRAM STAND_IN

COURSE_PROGRAM is the program behind the script, build/emulator/bin/course; STAND_IN is the same for another checkout:
here one whose exercises are copies, so that nobody's work is touched.
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "course")
PROGRAM = STAND_IN = ""
KERNEL = """#include <cstdio>
__global__ void fill(float* y, int n) { for (int i = threadIdx.x; i <= n; i += blockDim.x) y[i] = 1.0F + i * i + 2.0F * i; }
int main() {
  float* y = nullptr;
  cudaMalloc(&y, 4);
  fill<<<1, 32>>>(y, 1);
  cudaDeviceSynchronize();
}
"""
COLOURS = re.compile("\033\\[[0-9;]*m")


def on_terminal(columns, *command, keys=(), **environment):
    """What a command writes to a terminal, and its exit status. Each of the keys is a text to wait for, and what is
    typed then."""
    process, terminal = pty.fork()
    if process == 0:
        time.sleep(0.1)  # until the terminal has its width
        kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        os.execvpe(command[0], command, kept | {"TERM": "xterm"} | environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    shown, seen, keys, end = b"", 0, list(keys), time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # it has ended
                break
        if keys and keys[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(terminal, keys.pop(0)[1].encode())
    else:
        os.kill(process, 9)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os.close(terminal)
    return shown.decode(), status


def lines(shown):
    """The lines as they appear: what was drawn over is gone."""
    text = COLOURS.sub("", shown.replace("\r\n", "\n"))
    return [re.split("\033\\[K|\r|\033\\[H\033\\[2J", line)[-1] for line in text.split("\n")]


def words(text):
    """The words of a text; what was wrapped or broken has the same."""
    return set(re.findall(r"[^\W\d_]{3,}", " ".join(lines(text))))


def copied_checkout(folder):
    """The environment in which STAND_IN works in a checkout with this one's exercises, built here."""
    build = pathlib.Path(PROGRAM).resolve().parent.parent
    for entry in ROOT.iterdir():
        if entry.name not in ("build", "exercises") and not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(ROOT / "exercises", folder / "exercises")
    (folder / "build").mkdir()
    for name in ("chapters.json", "exercises.json"):
        text = (build / name).read_text(encoding="utf-8")
        text = re.sub(rf'(?<="|I){re.escape(str(ROOT))}/exercises/', f"{folder}/exercises/", text)
        (folder / "build" / name).write_text(text, encoding="utf-8")
    return {"COURSE_TEST_SOURCE_DIR": str(folder), "COURSE_TEST_BUILD_DIR": str(folder / "build"),
            "COURSE_TEST_BACKEND": "emulator", "COURSE_TEST_CMAKE": "true", "COURSE_TEST_CTEST": "true"}  # fmt: skip


def solve_all(folder):
    """Makes all exercises of a copied checkout solved, with more attempts than anybody needs."""
    known = json.loads((folder / "build/exercises.json").read_text(encoding="utf-8"))
    names = [entry["name"] for entry in known["exercises"]]
    (folder / ".course").mkdir()
    solved = {"attempts": 123, "hints": 4, "points": 10, "solved": True, "last": "x"}
    record = {"exercises": {name: solved for name in names}, "congratulated": [], "latest": names[0]}
    (folder / ".course/progress.json").write_text(json.dumps(record), encoding="utf-8")


class Terminal(unittest.TestCase):
    def assert_fits(self, shown, columns):
        for line in lines(shown):
            self.assertLessEqual(len(line), columns, line)

    def assert_fitting(self, command, widths=(80, 120), keys=(), **environment):
        """Every line fits; in 120 columns nothing is left out. Gives what was shown, by its width."""
        found = {}
        for columns in widths:
            with self.subTest(columns=columns, command=command[1:]):
                shown, status = on_terminal(columns, *command, keys=keys, **environment)
                self.assertIn(status, (0, 1, 2, 3, 77), shown)
                self.assertGreater(len(shown), 10)
                self.assert_fits(shown, columns)
                if columns >= 120:
                    self.assertNotIn("(not shown in", shown)
                found[columns] = shown
        return found

    def assert_all_is_there(self, *command, **environment):
        """The same, and every word that goes to a pipe is shown, unless the screen says what it leaves out."""
        whole = subprocess.run(command, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                               env=os.environ | environment, check=False)  # fmt: skip
        said = whole.stdout or whole.stderr.splitlines()[-1]  # before that there is progress
        for shown in self.assert_fitting(command, **environment).values():
            if "(not shown in" not in shown:
                self.assertLessEqual(words(said), words(shown), command[1:])

    def test_every_command_fits_and_leaves_nothing_out(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.cu"
            mine.write_text(KERNEL, encoding="utf-8")
            for command in (("run", "08", "--size", "40", "--cpu-size", "8"), ("run", "06", "--help"),
                            ("measure",), ("picture", "06"), ("picture", "02", "--line", "1")):  # fmt: skip
                self.assert_all_is_there(PROGRAM, *command)
            self.assert_all_is_there(SCRIPT, "doctor")
            for columns in (20, 40, 60):
                self.assert_fits(on_terminal(columns, SCRIPT, "doctor")[0], columns)
            for command in (("tour", "--size", "40"), ("traffic", "06", "--size", "40"), ("emucc", str(mine))):
                self.assert_fitting((PROGRAM, *command), widths=(80,))

    def test_exercises_fit_and_leave_nothing_out(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            there = copied_checkout(folder)
            self.assert_all_is_there(STAND_IN, "check", "08b", **there)
            for command in (("solution", "08b"), ("hint", "08b"), ("traffic", "08b"), ("reset", "08b"), ("check", "99")):
                self.assert_fitting((STAND_IN, *command), widths=(80,), **there)
            self.assert_fitting((PROGRAM, "grade", "08b"), widths=(80,))
            self.assert_fitting((STAND_IN, "watch", "08b"), widths=(80,), keys=[("quit", "q")], **there)
            broken = folder / "exercises" / "08b_tile_bugs" / "tile_bugs.cu"
            text = broken.read_text(encoding="utf-8")
            where = "A_tile[y][x] = A["
            self.assertIn(where, text)
            mistake = "A_tile[y][x] = 0.0F * (1.0F + 2.0F + 3.0F + 4.0F) + B_til[y][x] + A["
            broken.write_text(text.replace(where, mistake), encoding="utf-8")
            self.assert_all_is_there(STAND_IN, "check", "08b", **there)

    def test_every_line_fits(self):
        commands = [(SCRIPT, "--help"), (SCRIPT, "chek"), (SCRIPT, "frobnicate"), (PROGRAM, "--help"),
                    (PROGRAM, "run", "99"), (PROGRAM, "check", "99x"),
                    (PROGRAM, "picture", "02", "--kind", "load"), (PROGRAM, "hint", "01a", "--again")]  # fmt: skip
        for columns in (60, 80, 100, 120):
            for command in commands:
                with self.subTest(columns=columns, command=command[1:]):
                    shown, status = on_terminal(columns, *command)
                    self.assertIn(status, (0, 2), shown)
                    self.assertGreater(len(shown), 10)
                    self.assert_fits(shown, columns)

    def test_the_list_fits_whatever_is_solved(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            there = copied_checkout(folder)
            self.assert_all_is_there(STAND_IN, "list", "--all", **there)
            self.assertIn("attempts", on_terminal(120, STAND_IN, "list", "--all", **there)[0])
            narrow = on_terminal(60, STAND_IN, "list", "--all", **there)[0]
            self.assertNotIn("attempts", narrow.split("(not shown", maxsplit=1)[0])
            self.assertIn("(not shown in 60 columns: attempts, hints)", narrow)
            shown = [line for line in lines(on_terminal(80, STAND_IN, "list", "--all", **there)[0]) if line]
            self.assertIn("./course ", shown[-1])  # the next step
            for solve in (lambda _: None, solve_all):
                solve(folder)
                for columns in (20, 30, 40, 60, 66, 80, 100, 120):
                    for what in ((), ("--all",), ("2",)):
                        with self.subTest(columns=columns, what=what, solved=solve is solve_all):
                            shown, status = on_terminal(columns, STAND_IN, "list", *what, **there)
                            self.assertEqual(status, 0, shown)
                            self.assert_fits(shown, columns)
            self.assertIn("solved", shown)

    def test_the_list_is_no_longer_than_a_screen_wherever_one_is(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            there = copied_checkout(folder)
            known = json.loads((folder / "build/exercises.json").read_text(encoding="utf-8"))
            (folder / ".course").mkdir()
            for part in known["parts"]:
                latest = next(one["name"] for one in known["exercises"] if one["chapter"] in part["chapters"])
                record = json.dumps({"exercises": {}, "congratulated": [], "latest": latest})
                (folder / ".course/progress.json").write_text(record, encoding="utf-8")
                shown = lines(on_terminal(80, STAND_IN, "list", **there)[0])
                self.assertLess(len(shown), 25, part["title"])  # the last one is that of the prompt
                self.assertTrue(any(latest[:3] in line for line in shown), part["title"])

    def test_the_first_failure_stays_on_the_screen(self):
        with tempfile.TemporaryDirectory() as folder:
            there = copied_checkout(pathlib.Path(folder))
            for exercise in ("00a", "08b", "10b"):
                for command, keys in (("check", ()), ("watch", [("quit", "q")])):
                    shown = on_terminal(80, STAND_IN, command, exercise, keys=keys, **there)[0]
                    cases = [line.split(maxsplit=1)[1] for line in lines(shown) if line.startswith("FAILED ")]
                    screen = lines(shown.split("No longer watching")[0])[-24:]
                    self.assertTrue(any(cases[0] in line for line in screen), (command, exercise, screen))
                    self.assertLessEqual(shown.count("no kernel was launched"), 1, exercise)

    def test_where_a_list_is_too_wide_kernels_stand_above_their_lines(self):
        self.assertIn("sgemv_unroll", lines(on_terminal(80, PROGRAM, "picture", "06")[0]))

    def test_colours_only_where_they_are_wanted(self):
        self.assertRegex(on_terminal(80, SCRIPT, "chek")[0], COLOURS)
        for switch in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for command in ((SCRIPT, "chek"), (SCRIPT, "--help"), (PROGRAM, "list")):
                self.assertNotIn("\033", on_terminal(80, *command, **switch)[0])


if __name__ == "__main__":
    STAND_IN = sys.argv.pop()
    PROGRAM = sys.argv.pop()
    unittest.main()
