"""emucc, the compiler for CUDA C++ that needs no GPU, as a package for Python: `python3 -m emucc` or plain `emucc`.

In a notebook, `%load_ext emucc` makes programs of cells that begin with %%emucc; `%emucc --help` says more.
"""

import os
import pathlib
import sys

#: Below it lie bin, lib and share, as wherever else emucc is installed.
FOLDER = pathlib.Path(__file__).resolve().parent

#: The program.
PROGRAM = FOLDER / "bin" / "emucc"


def main():
    """Becomes emucc, which so has our arguments, our terminal, our signals and our exit status."""
    os.execv(PROGRAM, ["emucc", *sys.argv[1:]])


def load_ipython_extension(ipython):
    """What %load_ext emucc calls. Nothing else here needs IPython."""
    from .notebook import load  # pylint: disable=import-outside-toplevel

    load(ipython)
