"""Draws the pictures of the pages, docs/pictures/*/*.svg: what explains, not what was timed.

    python3 tools/pages pictures                draws all pictures
    python3 tools/pages pictures --out FOLDER   draws them there
    python3 tools/pages pictures --check        draws nothing: the exit status is 1 if a picture is missing, is not what
                                                is drawn now, or is nobody's

A picture is one function of a file in drawings, named in its PICTURES. Its folder is named after the chapters that the
file is for. With phone=True
it is 360 pixels wide, its text as large as ever: phones.py draws that when the site is built. It needs nothing but
Python. Figures of results are drawn by plots.py, into docs/figures.
"""

import pathlib
import sys

import drawn_files
from places import ROOT

from drawings import attention, compilers, foundations, fragments, gemm, histograms, library, matrices, registers, rings, scans, sharing, softmax, sorting, sparse, splits, streams, tensors, threads, transposes, warpgroups  # isort: skip (places says where what they use is)

FOLDER = ROOT / "docs" / "pictures"
FOLDERS = {"00_09": (threads, sharing, library, gemm),
           "10_18": (foundations, transposes, streams, matrices, tensors, compilers),
           "19_22": (registers, fragments, warpgroups),
           "23_30": (scans, histograms, sorting, sparse, softmax, attention, splits, rings)}  # fmt: skip
PICTURES = {f"{folder}/{name}": make for folder, files in FOLDERS.items() for drawings in files
            for name, make in drawings.PICTURES.items()}  # fmt: skip


def drawn(phone=False):
    return {f"{name}.svg": make(phone).svg() for name, make in PICTURES.items()}


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
