"""The commands of the course in Jupyter: `%load_ext course_jupyter`, then `%course --help`."""


def load_ipython_extension(ipython):
    """What %load_ext course_jupyter calls: %course, and %%emucc too."""
    from .magics import load  # pylint: disable=import-outside-toplevel

    load(ipython)
