"""What IPython registers: %course and %%course, and %%emucc as the package emucc has it."""

import sys

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import display

from .checkout import CourseError
from .commands import HELP, Session


@magics_class
class CourseMagics(Magics):
    """%course and %%course."""

    def __init__(self, shell, session):
        super().__init__(shell)
        self.session = session

    @line_cell_magic
    def course(self, line, cell=None):
        try:
            page = self.session.obey(line, cell)
        except CourseError as problem:
            print(f"course: {problem}", file=sys.stderr)
            return
        display({"text/plain": page.text(), "text/html": page.html()}, raw=True)


CourseMagics.course.__doc__ = HELP


def load(ipython):
    try:
        session = Session()
    except CourseError as problem:
        print(f"course: {problem}", file=sys.stderr)
        return
    from emucc.notebook import load as load_emucc  # pylint: disable=import-outside-toplevel

    load_emucc(ipython)
    ipython.register_magics(CourseMagics(ipython, session))
