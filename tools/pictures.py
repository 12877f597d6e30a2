#!/usr/bin/env python3
"""Draws the pictures of the pages, docs/pictures/*.svg: what explains, not what was timed.

    tools/pictures.py                draws all pictures
    tools/pictures.py --out FOLDER   draws them there
    tools/pictures.py --check        draws nothing: the exit status is 1 if a picture is missing, is not
                                     what this program draws, or is nobody's

A picture is one function of a file in tools/drawings, named in its PICTURES. It needs nothing but
Python. Figures of results are tools/plots.py's, in docs/figures.
"""

import pathlib
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the tools
import drawn_files  # noqa: E402
from drawings import gemm, library, sharing, threads  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "pictures"
PICTURES = gemm.PICTURES | threads.PICTURES | sharing.PICTURES | library.PICTURES


def drawn():
    return {f"{name}.svg": make().svg() for name, make in PICTURES.items()}


def check(folder):
    pictures = drawn()
    wrong = list(drawn_files.faults(folder, pictures))
    print(*wrong, f"{len(pictures)} pictures checked, {len(wrong)} wrong", sep="\n")
    return not wrong


def main():
    match sys.argv[1:]:
        case [] | ["--out", _]:
            drawn_files.write(pathlib.Path(sys.argv[2]) if sys.argv[1:] else FOLDER, drawn())
        case ["--check"]:
            sys.exit(0 if check(FOLDER) else 1)
        case _:
            sys.exit("usage: pictures.py [--check | --out FOLDER]")


if __name__ == "__main__":
    main()
