"""Draws the pictures of the pages, docs/pictures/*.svg: what explains, not what was timed.

    python3 tools/pages pictures                draws all pictures
    python3 tools/pages pictures --out FOLDER   draws them there
    python3 tools/pages pictures --check        draws nothing: the exit status is 1 if a picture is missing, is not what
                                                is drawn now, or is nobody's

A picture is one function of a file in tools/pages/drawings, named in its PICTURES. Those in FOR_PHONES are drawn a
second time, with phone=True, as NAME-narrow.svg: 360 pixels wide, its text as large as ever. It needs nothing but
Python. Figures of results are drawn by plots.py, into docs/figures.
"""

import pathlib
import sys

import drawn_files
from places import ROOT

from drawings import gemm, library, sharing, threads  # isort: skip (places says where what they use is)

FOLDER = ROOT / "docs" / "pictures"
ROOMS = (gemm, threads, sharing, library)
PICTURES = {name: make for room in ROOMS for name, make in room.PICTURES.items()}
FOR_PHONES = sorted(name for room in ROOMS for name in room.FOR_PHONES)


def drawn():
    texts = {f"{name}.svg": make().svg() for name, make in PICTURES.items()}
    return texts | {f"{name}-narrow.svg": PICTURES[name](phone=True).svg() for name in FOR_PHONES}


def check(folder):
    pictures = drawn()
    wrong = list(drawn_files.faults(folder, pictures))
    print(*wrong, f"{len(pictures)} pictures checked, {len(wrong)} wrong", sep="\n")
    return not wrong


def main(arguments):
    match arguments:
        case [] | ["--out", _]:
            drawn_files.write(pathlib.Path(arguments[1]) if arguments else FOLDER, drawn())
            return 0
        case ["--check"]:
            return 0 if check(FOLDER) else 1
    sys.exit("pictures: want nothing, --check or --out FOLDER")
