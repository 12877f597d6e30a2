#!/usr/bin/env python3
"""Draws what a warp asks of memory at one line of a kernel, from a report of the emulator's (EMULATOR_REPORT=FILE).

    emulator/tools/picture/access_picture.py REPORT                    lists what can be drawn
    emulator/tools/picture/access_picture.py REPORT --line N [--file NAME] [--kernel NAME] [--kind KIND]
                                                    [--instruction K]
                            [--phone] [--out FILE.svg | --folder FOLDER]   draws the memory instruction of that line

An instruction of global memory is drawn with the sectors that it touches, one of shared memory with the banks. Of all
its requests the report keeps one, the worst, and that is drawn. Where a line has several instructions the options
choose: a kernel by its name, with template arguments or without; a file by its name, with folders or without; KIND
is global_load and so on; K is the instruction's number in the line, as listed. Without --out the picture's name is
made of file, line and kind, and is in FOLDER, or the current one; - is stdout. With --phone it is as wide as a
phone. Needs nothing but Python.
"""

import argparse
import os
import sys
from typing import NamedTuple

sys.dont_write_bytecode = True  # leaves nothing beside the sources
from access_banks import SharedMemory, draw_shared  # noqa: E402
from access_drawing import GlobalMemory, counted, draw_global, shortened, spaced  # noqa: E402
from picture_command import DrawingError, OneLineParser, add_output, read_json, run, write_picture  # noqa: E402

KINDS = [f"{space}_{what}" for space in ("global", "shared") for what in ("load", "store", "atomic")]


class Choice(NamedTuple):
    """An instruction that can be drawn."""

    kernel: str
    instance: str
    file: str
    line: int
    number: int  # in the line, counted from 1
    instruction: dict

    @property
    def kind(self):
        return self.instruction["kind"]

    @property
    def place(self):
        return f"{os.path.basename(self.file)}:{self.line}"

    def excess(self):
        """How much more the example took than it needed: sectors, or wavefronts."""
        example = self.instruction["example"]
        return example.get("sectors", 0) - example.get("ideal_sectors", 0) + example.get("wavefronts", 0)

    def what(self):
        return f"{self.kind.replace('_', ' ')}, {counted(self.instruction['bytes_a_lane'], 'byte')} per lane"

    def mean(self):
        """Sectors, or wavefronts, of a request, and which of the two. None where they are not counted."""
        thing = "wavefront" if self.kind.startswith("shared") else "sector"
        if thing + "s" not in self.instruction or not self.instruction["requests"]:
            return None, thing
        return self.instruction[thing + "s"] / self.instruction["requests"], thing

    def cost(self):
        mean, thing = self.mean()
        return "-" if mean is None else f"{mean:.3g} {thing}{'' if mean == 1 else 's'} per request"

    def among_others(self):
        """How the example compares with all requests."""
        mean, thing = self.mean()
        if mean is None or self.instruction["requests"] == 1:
            return ""
        if mean == self.instruction["example"].get(thing + "s"):
            return f"; all take the same number of {thing}s"
        return f", the worst; {self.cost()} on average"

    def data(self):
        """What it takes to draw it again."""
        return self._asdict() | {"file": os.path.basename(self.file)}

    def label(self):
        return f"{self.number} ({self.what()}" + (f", {self.cost()})" if self.cost() != "-" else ")")


def check_instruction(instruction):
    """Looks at all that a picture needs."""
    example = instruction["example"]
    numbers = [instruction["requests"], example["warp"], *example["block"]]
    numbers += [lane for lane in example["lanes"] if lane is not None]
    if instruction["kind"] not in KINDS or instruction["bytes_a_lane"] not in (1, 2, 4, 8, 16):
        raise ValueError("an instruction of an unknown kind or width")
    if len(example["lanes"]) != 32 or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError("an example is malformed")


def read_report(path):
    """The instructions of a report, each once: of several launches, as in the one whose example is the worst."""
    report = read_json(path)
    try:
        if report["schema_version"] != 2:
            raise DrawingError(f"{path} has schema_version {report['schema_version']}, and this program knows 2")
        found = {}
        for launch in report["kernels"]:
            for line in launch["lines"]:
                for number, instruction in enumerate(line["instructions"], start=1):
                    check_instruction(instruction)
                    choice = Choice(launch["kernel"], launch["instance"], line["file"], line["line"], number,
                                    instruction)  # fmt: skip
                    key = (choice.instance, choice.file, choice.line, number, choice.kind)
                    if key not in found or choice.excess() > found[key].excess():
                        found[key] = choice
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DrawingError(f"{path} is not a report of the emulator's: {type(error).__name__}: {error}") from error
    return list(found.values())


def is_file(file, wanted):
    return file == wanted or file.endswith("/" + wanted)


def selected(choices, options, but=()):
    """The choices that the options leave."""
    tests = {
        "line": lambda choice: choice.line == options.line,
        "file": lambda choice: is_file(choice.file, options.file),
        "kernel": lambda choice: options.kernel in (choice.kernel, choice.instance),
        "kind": lambda choice: choice.kind == options.kind,
        "instruction": lambda choice: choice.number == options.instruction,
    }
    used = [test for name, test in tests.items() if getattr(options, name) is not None and name not in but]
    return [choice for choice in choices if all(test(choice) for test in used)]


def listed(choices, most=12):
    """Choices in one line."""
    texts = list(dict.fromkeys(choices))
    return "; ".join(texts[:most]) + (f"; and {len(texts) - most} more" if len(texts) > most else "")


def choose(choices, options):
    found = selected(choices, options)
    if len(found) == 1:
        return found[0]
    if not found:
        near = selected(choices, options, but=("kind", "instruction"))
        there = [f"{choice.number} {choice.kind} in {choice.instance}" for choice in near]
        if not near:
            near = selected(choices, options, but=("line", "kind", "instruction")) or choices
            places = {}
            for choice in near:
                places.setdefault((choice.instance, os.path.basename(choice.file)), {})[str(choice.line)] = None
            there = [f"{kernel} at {file}:{', '.join(lines)}" for (kernel, file), lines in places.items()]
        raise DrawingError(f"line {options.line} has no such memory instruction; there are: {listed(there)}")
    ways = {
        "--file": ([choice.file for choice in found], lambda choice: choice.file),
        "--kernel": ([choice.instance for choice in found], lambda choice: f"'{choice.instance}'"),
        "--instruction": ([choice.number for choice in found], Choice.label),
    }
    for option, (values, text) in ways.items():
        if len(set(values)) > 1:
            raise DrawingError(f"line {options.line} has {len(found)} of them; choose with {option}: "
                          f"{listed(map(text, found))}")  # fmt: skip
    raise AssertionError("the key of a choice is not unique")


def confirm(choice):
    """The report says how many sectors or wavefronts its example took. A picture that shows others would lie."""
    instruction, example = choice.instruction, choice.instruction["example"]
    if not any(lane is not None for lane in example["lanes"]):
        raise DrawingError(f"no lane takes part in the example of {choice.place}")
    if choice.kind.startswith("global"):
        memory = GlobalMemory(example, instruction["bytes_a_lane"])
        # Of an atomic operation a sector may count several times, or, where one lane goes for all, fewer.
        sectors = {} if choice.kind == "global_atomic" else {"sectors": len(memory.sectors)}
        drawn = sectors | {"ideal_sectors": memory.ideal}
    else:
        memory = SharedMemory(instruction)
        drawn = {"wavefronts": memory.wavefronts}
        for group, told in zip(memory.groups, example["groups"]):
            what = "lanes" if memory.by_lane else "words"
            if group.load != told[what + "_by_bank"]:
                raise DrawingError(f"the report contradicts itself: the example of {choice.place} has other {what} by "
                                   "bank than its lanes ask for")  # fmt: skip
    for name, number in drawn.items():
        if example.get(name, number) != number:
            raise DrawingError(f"the report contradicts itself: the example of {choice.place} has {example[name]} "
                               f"{name}, and its lanes ask for {number}")  # fmt: skip


def draw(choice, phone=False):
    """The picture of a choice, and its verdict."""
    confirm(choice)
    example = choice.instruction["example"]
    lanes = sum(lane is not None for lane in example["lanes"])
    block = ", ".join(map(str, example["block"]))
    requests = counted(choice.instruction["requests"], "request")
    place = choice.place if choice.line else "a line the compiler does not know"
    about = [
        shortened(f"{choice.what()} · {place} · {requests} · {choice.instance}", 96),
        f"drawn: warp {spaced(example['warp'])} of block ({block}), {lanes} of 32 lanes active"
        + choice.among_others(),
    ]
    return (draw_shared if choice.kind.startswith("shared") else draw_global)(about, choice.instruction, phone)


def aligned(rows, indent=""):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [(indent + "  ".join(text.ljust(width) for text, width in zip(row, widths))).rstrip() for row in rows]


def table(choices, columns=sys.maxsize):
    """The choices, a line each. Where that many columns do not hold that, a kernel's name is above its lines; and
    where that is too wide, the last column is left out, and said to be."""
    head = ("line", "no.", "instruction", "per request, mean")
    rows = [(one.place, str(one.number), one.what(), one.cost().removesuffix(" per request")) for one in choices]
    kernels = [one.instance for one in choices]
    lines = aligned([("kernel", *head), *((kernel, *row) for kernel, row in zip(kernels, rows))])
    if max(map(len, lines)) <= columns:
        return "\n".join(lines)
    missing = ""
    lines = aligned([head, *rows], "  ")
    if max(map(len, lines)) > columns:
        lines = aligned([row[:-1] for row in [head, *rows]], "  ")
        missing = f"\n(not shown in {columns} columns: {head[-1]})"
    text, before = f"kernel\n{lines[0]}", None
    for kernel, line in zip(kernels, lines[1:]):
        text += ("" if kernel == before else f"\n{kernel}") + f"\n{line}"
        before = kernel
    return text + missing


def columns_there():
    """How wide lines may be: what COLUMNS says, or the terminal. A pipe or a file has room for everything."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) >= 20:
        return int(asked)
    return os.get_terminal_size(1).columns if os.isatty(1) else sys.maxsize


def parse(arguments):
    parser = OneLineParser(prog="access_picture.py", description=__doc__, allow_abbrev=False,
                           formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("report", metavar="REPORT")
    parser.add_argument("--line", type=int, metavar="N")
    parser.add_argument("--file", metavar="NAME")
    parser.add_argument("--kernel", metavar="NAME")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--instruction", type=int, metavar="K")
    add_output(parser)
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    choices = read_report(options.report)
    if not choices:
        raise DrawingError("the report holds no memory instruction")
    if options.line is None:
        if options.out is not None:
            raise DrawingError("--out wants a --line to draw (without --line there is only a list)")
        print(table(selected(choices, options), columns_there()))
        return
    choice = choose(choices, options)
    drawing, verdict = draw(choice, options.phone)
    stem = os.path.splitext(os.path.basename(choice.file))[0]
    path = options.out or os.path.join(options.folder, f"{stem}-{choice.line}-{choice.kind.replace('_', '-')}.svg")
    write_picture(path, drawing, verdict)


if __name__ == "__main__":
    run(main, "access_picture.py")
