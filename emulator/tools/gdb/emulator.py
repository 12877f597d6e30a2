"""A gdb extension that steps through kernels on the emulator, by block and thread.

    gdb -x emulator/tools/gdb/emulator.py --args PROGRAM ARGUMENT...

adds the commands `kernel break`, `kernel thread`, `kernel threads`, `kernel next`, `kernel step`,
`kernel until-barrier`, `kernel value` and `kernel shared`; `help kernel` lists them. docs/debugging-kernels.md shows
how they are used.

On the emulator each CUDA thread is a fiber: a stack of its own, on which one host thread goes on for a while. Where the
threads of a block are is read from the engine's data, by the names at the top of emulator_lanes.py.
"""

import contextlib
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True  # leaves nothing beside the tools
import emulator_lanes as lanes  # noqa: E402

TRIPLE = r"(?:\(\s*\d+\s*(?:,\s*\d+\s*){0,2}\)|\d+(?:,\d+){0,2})"
BREAK = re.compile(rf"(?P<place>\S+?)(?:\s+block\s+(?P<block>{TRIPLE}))?(?:\s+thread\s+(?P<thread>{TRIPLE}))?\s*")


def triple(text):
    """The three numbers of `(1,2,3)`, `1,2` or `1`; those that are left out are 0."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return tuple(numbers + [0] * (3 - len(numbers)))


def condition(block, thread):
    """What is true in that block and that thread only; None: in any."""
    parts = []
    for name, numbers in (("blockIdx", block), ("threadIdx", thread)):
        if numbers is not None:
            parts += [f"{name}.{axis} == {number}" for axis, number in zip("xyz", numbers)]
    return " && ".join(parts)


@contextlib.contextmanager
def only_here(lane):
    """For a while the program's breakpoints stop in this thread alone."""
    changed = []
    mine = condition(lane.block, lane.index)
    for point in gdb.breakpoints():
        if point.type == gdb.BP_BREAKPOINT and point.enabled and point.is_valid():
            changed.append((point, point.condition))
            point.condition = f"({mine}) && ({point.condition})" if point.condition else mine
    try:
        yield
    finally:
        for point, before in changed:
            if point.is_valid():
                point.condition = before


class LastStop:
    """The last stop of the program, as gdb reports it."""

    def __enter__(self):
        self.last = None
        gdb.events.stop.connect(self.note)
        return self

    def __exit__(self, *_):
        gdb.events.stop.disconnect(self.note)

    def note(self, event):
        self.last = event

    def hit(self, *points):
        return isinstance(self.last, gdb.BreakpointEvent) and any(p is q for q in self.last.breakpoints for p in points)

    def by_itself(self):
        """Whether a step ended where it should, not at a breakpoint or by a signal."""
        return type(self.last) is gdb.StopEvent


class KernelEnd(gdb.Breakpoint):
    """Where the running thread leaves its kernel: after the call in the engine."""

    def __init__(self, lane):
        outer = lanes.outermost()
        super().__init__(f"*{outer.older().pc():#x}", internal=True)
        self.silent = True
        self.condition = condition(lane.block, lane.index)


def alive():
    return gdb.selected_thread() is not None and gdb.selected_thread().is_valid()


def print_end(lane):
    print(f"Thread {lanes.show(lane.index)} of block {lanes.show(lane.block)} has ended.")


def out_of_the_loop(lane):
    """Leaves a line that is a loop of its own; false for other lines.

    gdb's `next` would go through such a line instruction by instruction, and a thread that polls does so a million
    times until the thread that it waits for has its turn."""
    frame = gdb.newest_frame()
    if not lanes.loops_within_its_line(frame):
        return False
    here = condition(lane.block, lane.index)
    points = []
    try:
        for address in lanes.starts_of_other_lines(frame):
            points.append(gdb.Breakpoint(f"*{address:#x}", internal=True))
            points[-1].silent = True
            points[-1].condition = here
        gdb.execute("continue", to_string=True)
    finally:
        for point in points:
            point.delete()
    return True


class MutedNotifications:
    """For a while gdb does not tell of stops, where it can be asked not to (since gdb 13)."""

    SETTING = "suppress-cli-notifications"

    def __enter__(self):
        try:
            self.before = "on" if gdb.parameter(self.SETTING) else "off"
            gdb.execute(f"set {self.SETTING} on", to_string=True)
        except (RuntimeError, gdb.error):
            self.before = None
        return self

    def __exit__(self, *_):
        if self.before:
            gdb.execute(f"set {self.SETTING} {self.before}", to_string=True)


def show_place(function, event):
    """The line where the thread is now; with its function, if it was in another one or something stopped it."""
    why = ""
    if isinstance(event, gdb.SignalEvent):
        why = f"Signal {event.stop_signal}, "
    elif isinstance(event, gdb.BreakpointEvent):
        point = event.breakpoints[0]
        if not point.is_valid() or not point.visible:
            pass  # one of ours, or gone by now
        elif point.type == gdb.BP_BREAKPOINT:
            why = f"Breakpoint {point.number}, "
        else:
            why = f"Watchpoint {point.number}: {point.expression} = {gdb.parse_and_eval(point.expression)}, "
    own = lanes.own_frame()
    if own is not None:
        own.select()
    first, _, line = gdb.execute("frame", to_string=True).partition("\n")
    if why or lanes.function_here() != function:
        print(why + re.sub(r"^#\d+ +(0x[0-9a-f]+ in )?", "", first))
    print(line, end="")


def step(lane, command):
    """Runs a stepping command until the thread is in the program's own source again."""
    if lanes.at_the_end():
        raise gdb.GdbError("this thread has ended: `continue` goes to the next breakpoint")
    end = KernelEnd(lane)
    try:
        with only_here(lane), LastStop() as stops, MutedNotifications() as muted:
            function = lanes.function_here()
            told = not out_of_the_loop(lane)
            on = told
            if told and lanes.inside_the_emulator():
                # A barrier ends in a jump into another thread, after which gdb's `next` loses this one.
                gdb.execute("finish", to_string=True)
                on = alive() and stops.by_itself() and not lanes.at_a_beginning()
            if on:
                gdb.execute(command, to_string=True)
            while alive() and stops.by_itself() and lanes.inside_the_emulator() and not lanes.at_the_end():
                gdb.execute("next", to_string=True)
    finally:
        if end.is_valid():
            end.delete()
    if not alive():
        print("The program has ended.")
    elif stops.hit(end) or lanes.at_the_end():
        print_end(lane)
    elif muted.before or not told:
        show_place(function, stops.last)


class KernelPrefix(gdb.Command):
    """Looks at kernels on the emulator, by block and thread."""

    def __init__(self):
        super().__init__("kernel", gdb.COMMAND_USER, gdb.COMPLETE_NONE, True)


class KernelCommand(gdb.Command):
    """A command with the prefix `kernel`; gdb's own errors become one line."""

    def __init__(self):
        super().__init__(f"kernel {self.name}", gdb.COMMAND_RUNNING, self.completes)

    completes = gdb.COMPLETE_NONE

    def invoke(self, argument, from_tty):
        self.dont_repeat_unless_stepping()
        try:
            self.run(argument.strip())
        except gdb.MemoryError as error:
            raise gdb.GdbError(f"kernel {self.name}: {error}") from None
        except gdb.error as error:
            raise gdb.GdbError(f"kernel {self.name}: {error}") from None

    def dont_repeat_unless_stepping(self):
        if self.name not in ("next", "step"):
            self.dont_repeat()

    def none(self, argument):
        if argument:
            raise gdb.GdbError(f"kernel {self.name} takes no argument")


class BreakCommand(KernelCommand):
    """Stop at a line, in one block or one thread: kernel break FILE:LINE [block (X,Y,Z)] [thread (X,Y,Z)]
Numbers that are left out are 0: `block 1 thread 5` is `block (1,0,0) thread (5,0,0)`."""

    name = "break"
    completes = gdb.COMPLETE_LOCATION

    def run(self, argument):
        match = BREAK.fullmatch(argument)
        if not match:
            raise gdb.GdbError("kernel break: want FILE:LINE [block (X,Y,Z)] [thread (X,Y,Z)]")
        gdb.decode_line(match["place"])  # an error if there is no such place
        point = gdb.Breakpoint(match["place"])
        block, thread = (triple(match[name]) if match[name] else None for name in ("block", "thread"))
        if block or thread:
            point.condition = condition(block, thread)


class ThreadCommand(KernelCommand):
    """Which kernel, block, thread, warp and lane is here, and where."""

    name = "thread"

    def run(self, argument):
        self.none(argument)
        lane = lanes.Lane.running()
        print(f"{lane.worker.kernel}: block {lanes.show(lane.block)} of {lanes.show(lanes.variable('gridDim'))}, "
              f"thread {lanes.show(lane.index)} of {lanes.show(lanes.variable('blockDim'))}, "
              f"warp {lane.number // 32}, lane {lane.number % 32}")
        print(f"at {lanes.place_of(lanes.own_frame())}")


class ThreadsCommand(KernelCommand):
    """Where each thread of this block is; neighbours at the same place share a line."""

    name = "threads"

    def run(self, argument):
        self.none(argument)
        worker = lanes.Lane.running().worker
        runs = []
        for lane in worker.lanes:
            states = (lane.is_running, lane.state())
            if runs and runs[-1][2] == states:
                runs[-1][1] = lane
            else:
                runs.append([lane, lane, states])
        print(f"{worker.kernel}, block {lanes.show(lanes.variable('blockIdx'))}: {len(worker.lanes)} threads")
        names = [lanes.show(first.index) + (f" to {lanes.show(last.index)}" if first is not last else "")
                 for first, last, _ in runs]
        for name, (_, _, (running, state)) in zip(names, runs):
            print(f"{'*' if running else ' '} {name:{max(map(len, names))}}  {state}")


class NextCommand(KernelCommand):
    """Go to the next line of this thread, over calls, barriers and shuffles, whatever runs meanwhile."""

    name = "next"

    def run(self, argument):
        repeat(self.name, argument)


class StepCommand(KernelCommand):
    """Go to the next line of this thread, into functions of the program, but not into the emulator's."""

    name = "step"

    def run(self, argument):
        repeat(self.name, argument)


def repeat(command, argument):
    if argument and not re.fullmatch(r"[1-9]\d*", argument):
        raise gdb.GdbError(f"kernel {command}: want nothing, or how many times")
    for _ in range(int(argument or 1)):
        step(lanes.Lane.running(), command)
        if not alive() or lanes.at_the_end():
            break


class UntilBarrierCommand(KernelCommand):
    """Go on until all threads of the block have come to this thread's next __syncthreads(), and past it."""

    name = "until-barrier"

    def run(self, argument):
        self.none(argument)
        lane = lanes.Lane.running()
        if lanes.at_the_end():
            raise gdb.GdbError("this thread has ended: `continue` goes to the next breakpoint")
        end = KernelEnd(lane)
        barriers = [gdb.Breakpoint(function, internal=True) for function in lanes.BARRIERS]
        for barrier in barriers:
            barrier.silent = True
            barrier.condition = condition(lane.block, lane.index)
        try:
            with only_here(lane), LastStop() as stops:
                said = gdb.execute("continue", to_string=True)
                arrived = alive() and any(stops.hit(barrier) for barrier in barriers)
                ended = alive() and stops.hit(end)
        finally:
            for point in (*barriers, end):
                if point.is_valid():
                    point.delete()
        if ended:
            print("No barrier any more.")
            print_end(lane)
        elif not arrived:
            sys.stdout.write(said)  # a breakpoint of the program, or its end
        else:
            print(f"At {lanes.place_of(lanes.own_frame())} all threads of the block have come.")
            step(lane, "next")


class ValueCommand(KernelCommand):
    """What an expression is in each lane of this warp, and where the lane is: kernel value EXPRESSION
It is worked out in the function that is selected now; a lane that is not in it has no value."""

    name = "value"
    completes = gdb.COMPLETE_EXPRESSION

    def run(self, argument):
        if not argument:
            raise gdb.GdbError("kernel value: want an expression")
        running = lanes.Lane.running()
        function = gdb.selected_frame().name()
        gdb.parse_and_eval(argument)  # an error here is one everywhere
        first = running.number // 32 * 32
        rows = []
        for lane in running.worker.lanes[first:first + 32]:
            rows.append((lane, *lane.value_of(argument, function)))
        width = max(len(value) for _, value, _ in rows)
        for lane, value, where in rows:
            mark = "*" if lane.is_running else " "
            print(f"{mark} lane {lane.number % 32:2}  {value:>{width}}  {where}")


class SharedCommand(KernelCommand):
    """The shared variables of this block that the selected function, and its callers, know by now."""

    name = "shared"

    def run(self, argument):
        self.none(argument)
        lane = lanes.Lane.running()
        found = list(lanes.shared_variables(lane.worker))
        if not found:
            print("No shared variables here.")
        for name, value in found:
            print(f"{name} = {value.format_string(repeat_threshold=4, max_elements=32)}")


gdb.set_convenience_variable("emulator", 1)
for command in (KernelPrefix, BreakCommand, ThreadCommand, ThreadsCommand, NextCommand, StepCommand,
                UntilBarrierCommand, ValueCommand, SharedCommand):  # fmt: skip
    command()
# `step` is to go into the program's functions, not into the emulator's headers.
for pattern in lanes.HEADERS:
    gdb.execute(f"skip -gfile {pattern}", to_string=True)
# One block after the other: what the user sees is the same in each run.
if not re.search(r"^EMULATOR_THREADS=", gdb.execute("show environment", to_string=True), re.M):
    gdb.execute("set environment EMULATOR_THREADS 1")
