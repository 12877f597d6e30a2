#!/usr/bin/env python3
"""What ./course looks like on terminals: no line is wider than the screen, colours only where they are wanted, and the
keys of `watch`. Each command runs in a terminal of its own.

    cli/script/terminal_test.py COURSE_PROGRAM     the program behind the script, build/emulator/bin/course
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import sys
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "course")
PROGRAM = ""
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
    """The lines as one sees them: what was drawn over is gone."""
    text = COLOURS.sub("", shown.replace("\r\n", "\n"))
    return [re.split("\033\\[K|\r|\033\\[H\033\\[2J", line)[-1] for line in text.split("\n")]


class Terminal(unittest.TestCase):
    def assert_fits(self, shown, columns):
        for line in lines(shown):
            self.assertLessEqual(len(line), columns, line)

    def test_every_line_fits(self):
        commands = [(SCRIPT, "--help"), (SCRIPT, "chek"), (SCRIPT, "frobnicate"), (PROGRAM, "--help"),
                    (PROGRAM, "list"), (PROGRAM, "run", "99"), (PROGRAM, "check", "99x"),
                    (PROGRAM, "picture", "02", "--kind", "load"), (PROGRAM, "hint", "01a", "--again")]  # fmt: skip
        for columns in (60, 80, 100, 120):
            for command in commands:
                with self.subTest(columns=columns, command=command[1:]):
                    shown, status = on_terminal(columns, *command)
                    self.assertIn(status, (0, 2), shown)
                    self.assertGreater(len(shown), 10)
                    self.assert_fits(shown, columns)

    def test_at_120_columns_nothing_is_left_out(self):
        self.assertIn("attempts", on_terminal(120, PROGRAM, "list")[0])
        narrow = on_terminal(60, PROGRAM, "list")[0]
        self.assertNotIn("attempts", narrow.split("(not shown", maxsplit=1)[0])
        self.assertIn("(not shown in 60 columns: attempts, hints)", narrow)

    def test_colours_only_where_they_are_wanted(self):
        self.assertRegex(on_terminal(80, SCRIPT, "chek")[0], COLOURS)
        for switch in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for command in ((SCRIPT, "chek"), (SCRIPT, "--help"), (PROGRAM, "list")):
                self.assertNotIn("\033", on_terminal(80, *command, **switch)[0])

    def test_the_list_ends_with_the_next_step(self):
        shown = [line for line in lines(on_terminal(80, PROGRAM, "list")[0]) if line]
        self.assertIn("./course ", shown[-1])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
