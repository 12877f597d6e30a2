"""The notebook of an exercise: its handout, its file as a cell, its checks and its hints."""

import re

from notebook_cells import about, cell, numbered
from notebook_text import markdown, sections
from places import ROOT

FILE = re.compile(r"\[`([\w.]+)`\]\(\1\)")  # the first such link of a handout
LOAD = """# This notebook belongs to a checkout of the course, in which Jupyter runs.
%load_ext course_jupyter
"""


def exercise_names():
    """In the order in which they are solved."""
    text = (ROOT / "exercises/CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^\s*course_add_exercise\(\s*(\d\w+)", text, re.M)


def exercise_notebook(name, place):
    folder, number = ROOT / "exercises" / name, name.partition("_")[0]
    page = folder / "README.md"
    text = page.read_text(encoding="utf-8")
    file = FILE.search(text)[1]
    stub = (folder / file).read_text(encoding="utf-8")
    intro, *rest = sections(text)

    def words(what):
        return cell("markdown", what)

    cells = [words(markdown(page, "\n\n".join(intro), place)), cell("code", LOAD)]
    cells += [words(markdown(page, "\n\n".join(section), place)) for section in rest]
    cells += [words(f"## Your file\n\nThe next cell is `{file}`. Write in it and run it: it is saved in the checkout, "
                    f"and checked. What the file was before is kept in the folder `.course/kept`."),
              cell("code", f"%%course check {number}\n{stub}"),
              words("## A hint\n\nEach time you run this cell, it shows one more."),
              cell("code", f"%course hint {number}")]  # fmt: skip
    if file.endswith(".cu"):
        cells += [words("## What your kernels ask of memory\n\nThe traffic of each line, as the checks launch them."),
                  cell("code", f"%course traffic {number}")]  # fmt: skip
    cells += [words("## Handing in\n\nOn your teacher's hub this sends the file as it is now. You can send it again: "
                    "the last one counts."),
              cell("code", f"%course hand-in {number}")]  # fmt: skip
    return numbered(name, cells) | about()
