"""emucc in a notebook: after `%load_ext emucc` a cell that begins with %%emucc is a program in CUDA C++."""

import sys

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import display

from .cells import HELP, CellError, Session


@magics_class
class EmuccMagics(Magics):
    """%%emucc and %emucc."""

    def __init__(self, shell, session):
        super().__init__(shell)
        self.session = session

    @line_cell_magic
    def emucc(self, line, cell=None):
        try:
            outcome = self.session.again(line) if cell is None else self.session.cell(line, cell)
        except CellError as problem:
            print(f"emucc: {problem}", file=sys.stderr)
            return
        display({"text/plain": outcome.text(), "text/html": outcome.html()}, raw=True)


EmuccMagics.emucc.__doc__ = HELP


def load(ipython):
    session = Session()
    ipython.register_magics(EmuccMagics(ipython, session))
    return session
