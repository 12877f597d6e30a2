#!/usr/bin/env python3
"""Draws a timeline: what ran in which stream, and what waited for what (EMULATOR_TIMELINE=FILE).

    emulator/tools/picture/timeline_picture.py FILE [--from A] [--to B] [--name NAME] [--phone]
                                        [--out FILE.svg | --folder FOLDER]

The file is one that a program wrote under the emulator, where the axis is steps, or one that was recorded on a GPU, where
it is microseconds. Each stream is a lane, and so is each thread of the host, which issues work and waits. An arrow goes
from work to what waited for it. Of a long program the beginning is drawn, or what is between A and B. Without --out the
picture's name is made of the program's, or of NAME, and is in FOLDER, or the current one; - is stdout. With --phone it
is as wide as a phone. Needs nothing but Python.
"""

import argparse
import math
import os
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the sources
from picture_command import DrawingError, OneLineParser, add_output, run, write_picture  # noqa: E402
from timeline import Timeline  # noqa: E402
from timeline_drawing import draw_timeline  # noqa: E402


def moment(text):
    value = float(text)
    if not math.isfinite(value) or value < 0:
        raise ValueError
    return value


def parse(arguments):
    parser = OneLineParser(prog="timeline_picture.py", description=__doc__, allow_abbrev=False,
                           formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--from", dest="first", type=moment, metavar="A")
    parser.add_argument("--to", dest="last", type=moment, metavar="B")
    parser.add_argument("--name", metavar="NAME")
    add_output(parser)
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    timeline = Timeline(options.file)
    timeline.program = options.name or timeline.program
    if not timeline.work:
        raise DrawingError("the timeline holds no work")
    first, last = options.first, options.last
    if first is not None and last is not None and first >= last:
        raise DrawingError(f"--from {first:g} is not before --to {last:g}")
    end = max(item.end for item in timeline.items)
    if first is not None and first >= end:
        raise DrawingError(f"--from {first:g} is past the end of the timeline, {end:g}")
    drawing, verdict = draw_timeline(timeline, first, last, options.phone)
    path = options.out or os.path.join(options.folder, f"{timeline.program}-timeline.svg")
    write_picture(path, drawing, verdict)


if __name__ == "__main__":
    run(main, "timeline_picture.py")
