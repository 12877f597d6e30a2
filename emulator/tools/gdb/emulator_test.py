#!/usr/bin/env python3
"""Tests the gdb extension: emulator_test.py PROGRAM SOURCE, where PROGRAM is debugged.cu built for the emulator.

gdb runs a list of commands in batch, and what it prints is compared. Exit status 77: no gdb that knows Python, or it
may not trace a program here.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAM = SOURCE = None


def gdb(*commands, record=False, extension=True):
    """What gdb prints for each of the commands: a list of texts."""
    words = ["gdb", "-nx", "-q", "-batch"]
    if extension:
        words += ["-x", str(FOLDER / "emulator.py")]
    for number, command in enumerate(commands):
        words += ["-ex", f"echo \\n<{number}>\\n", "-ex", command]
    words += ["-ex", "echo \\n<end>\\n", "--args", PROGRAM]
    # A note on a long launch would come between the lines, where the machine has much to do.
    environment = dict(os.environ, EMULATOR_CHECK="1" if record else "0", EMULATOR_PATIENCE="600", LC_ALL="C.UTF-8")
    environment.pop("EMULATOR_THREADS", None)
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                         timeout=600)
    return [part.strip("\n") for part in re.split(r"\n<(?:\d+|end)>\n", run.stdout)[1:-1]]


def line_of(comment):
    """The number of the line with that comment."""
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if line.endswith(f"// {comment}"):
            return number
    raise AssertionError(f"no line with '// {comment}' in {SOURCE}")


def place(comment):
    return f"debugged.cu:{line_of(comment)}"


def stop_at(comment, block=1, thread=5):
    return [f"kernel break {place(comment)} block {block} thread ({thread},0,0)", "run"]


class Kernel(unittest.TestCase):
    def walk(self, record):
        """From the first line to the end, by `kernel next`: over a barrier, a shuffle, a poll and a long loop."""
        steps = ["dynamic shared memory", "the barrier", "after the barrier", "before the shuffle", "the shuffle",
                 "after the shuffle", "before the poll", "the poll", "after the poll", "the loop", "the call",
                 "the end"]
        commands = stop_at("before the barrier")
        for _ in range(14):
            commands += ["kernel next", "printf \"%d\\n\", threadIdx.x + 100 * blockIdx.x"]
        said = gdb(*commands, record=record)
        shown = []
        for line, thread in zip(said[2::2], said[3::2]):
            if "has ended" in line:
                break
            self.assertEqual(thread, "105", line)
            comment = line.rsplit("// ", 1)[-1].strip()
            # A line may have several steps, and the kernel's closing brace one.
            if not comment.endswith("}") and (not shown or shown[-1] != comment):
                shown.append(comment)
        else:
            self.fail("the thread does not end: " + "\n".join(said))
        self.assertEqual(line, "Thread (5,0,0) of block (1,0,0) has ended.")
        # g++ may give a line no step of its own, but those that wait have one.
        self.assertEqual([step for step in steps if step in shown], shown)
        for step in ("the barrier", "after the barrier", "the shuffle", "the poll", "the loop", "the call", "the end"):
            self.assertIn(step, shown)

    def test_templates(self):
        """A breakpoint in a template stops in each of its instances, at the line that was asked for."""
        steps = ["the load", "the barrier", "the sum", "the other barrier", "the end"]
        for step in steps:
            with self.subTest(step=step):
                said = gdb(f"break {place(f'in the template: {step}')} if threadIdx.x == 0", "run", "backtrace 1",
                           "delete", f"break {place(f'in the template: {step}')} if width == 32", "continue",
                           "backtrace 1")
                for shown, width in ((said[2], 16), (said[6], 32)):
                    self.assertRegex(shown, rf"^#0 .*sum_of_tiles<{width}>.* at .*{place(f'in the template: {step}')}")

    def test_next(self):
        self.walk(record=False)

    def test_next_while_recording(self):
        self.walk(record=True)

    def test_thread_and_threads(self):
        said = gdb(*stop_at("before the barrier"), "kernel thread", "kernel threads", "print value", "print t")
        self.assertEqual(said[2], "walk: block (1,0,0) of (2,1,1), thread (5,0,0) of (64,1,1), warp 0, lane 5\n"
                                  f"at {place('before the barrier')}")
        self.assertEqual(said[3], "walk, block (1,0,0): 64 threads\n"
                                  f"  (0,0,0) to (4,0,0)   waiting at a barrier of the block, {place('the barrier')}\n"
                                  f"* (5,0,0)              here, {place('before the barrier')}\n"
                                  "  (6,0,0) to (63,0,0)  not begun")
        self.assertEqual(said[5], "$1 = 5" if "$1" not in said[4] else "$2 = 5")  # it is where it was

    def test_looking_around_leaves_the_selected_frame(self):
        said = gdb(*stop_at("before the barrier"), "up", "kernel threads", "python print(gdb.selected_frame().name())",
                   "kernel value 1", "python print(gdb.selected_frame() == gdb.newest_frame())")
        self.assertNotIn("walk", said[4])
        self.assertEqual(said[6], "False")

    def test_second_warp_and_shuffle(self):
        said = gdb(*stop_at("after the barrier", 0, 40), "kernel thread", "kernel threads")
        self.assertIn("block (0,0,0) of (2,1,1), thread (40,0,0) of (64,1,1), warp 1, lane 8", said[2])
        self.assertRegex(said[3], rf"\n  \(32,0,0\) to \(39,0,0\) +waiting in __shfl_xor_sync\(\), "
                                  rf"{place('the shuffle')}\n\* \(40,0,0\) +here, .*\n"
                                  rf"  \(41,0,0\) to \(63,0,0\) +can go on, {place('the barrier')}$")

    def test_until_barrier(self):
        said = gdb(*stop_at("before the barrier", 0, 3), "kernel until-barrier", "kernel thread",
                   "kernel until-barrier", "kernel until-barrier")
        self.assertEqual(said[2].splitlines()[0], f"At {place('the barrier')} all threads of the block have come.")
        self.assertRegex(said[2].splitlines()[-1], r"// after the barrier$")
        self.assertIn("thread (3,0,0)", said[3])
        self.assertEqual(said[4], "No barrier any more.\nThread (3,0,0) of block (0,0,0) has ended.")
        self.assertIn("has ended", said[5])

    def test_other_breakpoints_wait(self):
        """While one thread steps, the program's breakpoints do not stop another one; afterwards they do again."""
        said = gdb(*stop_at("before the barrier"), f"break {place('after the barrier')} if t != 5",
                   "kernel next 3", "kernel thread", "info breakpoints", "continue", "kernel thread")
        self.assertIn("after the barrier", said[3])
        self.assertIn("thread (5,0,0)", said[4])
        self.assertIn("stop only if t != 5\n", said[5] + "\n")
        self.assertIn("thread (6,0,0)", said[7])

    def test_value(self):
        said = gdb(*stop_at("after the barrier", 1, 0), "kernel value tile[63 - threadIdx.x]", "kernel value t",
                   "print threadIdx.x", "print t", "kernel value nothing_of_that_name", "kernel value")
        lines = said[2].splitlines()
        self.assertEqual(len(lines), 32, said[2])
        self.assertEqual(lines[0], f"* lane  0  227  {place('after the barrier')}")
        for lane in range(1, 32):
            self.assertEqual(lines[lane], f"  lane {lane:2}  {227 - lane}  {place('the barrier')}")
        self.assertEqual([line.split()[-2] for line in said[3].splitlines()], [str(lane) for lane in range(32)])
        self.assertEqual(said[4], "$1 = 0")
        self.assertEqual(said[5], "$2 = 0")
        self.assertEqual(said[6], 'kernel value: No symbol "nothing_of_that_name" in current context.')
        self.assertEqual(said[7], "kernel value: want an expression")

    def test_shared(self):
        said = gdb(*stop_at("after the barrier", 1, 63), "kernel shared")
        shown = dict(line.split(" = ", 1) for line in said[2].splitlines())
        self.assertTrue(shown["tile"].startswith("{164, 165, 166, "), said[2])
        self.assertTrue(shown["extra"].startswith("{-164, -165, -166, "), said[2])
        self.assertEqual(shown["flag"], "0")

    def test_step_goes_into_functions_of_the_program_only(self):
        said = gdb(*stop_at("before the barrier"), "kernel step 3",
                   f"kernel break {place('the call')} block 1 thread 5", "continue", "kernel step", "kernel thread",
                   "kernel next 2", "kernel thread")
        self.assertEqual([line.rsplit("// ")[-1] for line in said[2].splitlines()],
                         ["dynamic shared memory", "the barrier", "after the barrier"])
        self.assertRegex(said[5], r"^doubled \(value=[^\n]*\n\d+\t")
        self.assertIn("thread (5,0,0)", said[6])
        self.assertIn("thread (5,0,0)", said[8])

    def test_watchpoint_on_shared_memory(self):
        said = gdb(*stop_at("before the barrier", 1, 0), "watch tile[7]", "continue", "kernel thread")
        self.assertIn("Hardware watchpoint", said[2])
        self.assertRegex(said[3], r"Old value = \d+\nNew value = 171\n")
        self.assertIn("thread (7,0,0)", said[4])

    def test_wrong_input(self):
        said = gdb("kernel thread", "kernel break", "kernel break nowhere.cu:3",
                   "kernel break debugged.cu:20 block one", "break main", "run", "kernel threads", "kernel next",
                   "kernel next 0", "kernel shared now")
        no_thread = "no thread of a kernel stands here: first stop in one, by `kernel break`"
        self.assertEqual(said[0], "the program is not running: set a breakpoint by `kernel break`, then `run`")
        self.assertEqual(said[1], "kernel break: want FILE:LINE [block (X,Y,Z)] [thread (X,Y,Z)]")
        self.assertEqual(said[2], "kernel break: No source file named nowhere.cu.")
        self.assertEqual(said[3], "kernel break: want FILE:LINE [block (X,Y,Z)] [thread (X,Y,Z)]")
        self.assertEqual(said[6], no_thread)
        self.assertEqual(said[7], no_thread)
        self.assertEqual(said[8], "kernel next: want nothing, or how many times")
        self.assertEqual(said[9], "kernel shared takes no argument")


def why_not():
    """Why nothing can be tested here; None if it can."""
    try:
        said = gdb("python print(1 + 1)", "break main", "run", extension=False)
    except FileNotFoundError:
        return "gdb is not here (Debian: gdb)"
    if not said or said[0] != "2":
        return "this gdb knows no Python"
    if "Breakpoint 1, main" not in said[2]:
        return "gdb may not trace a program here: " + said[2].splitlines()[-1]
    return None


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
    reason = why_not()
    if reason:
        print(f"SKIPPED: {reason}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
