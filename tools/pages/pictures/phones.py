"""Draws the pages' pictures for phones: what the site shows on a screen narrower than 600 pixels.

    python3 tools/pages phones FOLDER    draws into FOLDER, as docs/pictures/*/A.svg and so on: the paths are those of
                                         the pictures that they stand for

docs/site/build_site.py calls it: what is drawn here is not kept. Pictures that explain and plots are drawn by the same
functions as the wide ones, accesses and timelines from the data in these. Plots need matplotlib. Where this Python
does not have it and /usr/bin/python3 does, that one draws; where neither has, the plots are left out, and a line says
so.
"""

import importlib.util
import pathlib
import subprocess
import sys

import accesses
import cover
import pictures
import plots
import timelines
from places import PAGES, ROOT

SYSTEM = pathlib.Path("/usr/bin/python3")
PICTURE_OF_THE_EMULATOR = ROOT / "emulator" / "tools" / "picture" / "one_access.svg"


def without_plots():
    """By the paths of the wide ones."""
    texts = {pictures.FOLDER / name: text for name, text in pictures.drawn(phone=True).items()}
    texts[cover.FOLDER / "cover.svg"] = cover.cover(cover.NARROW).svg()
    for path in (*sorted(accesses.FOLDER.glob("*.svg")), PICTURE_OF_THE_EMULATOR):
        texts[path] = accesses.for_phones(path.read_text(encoding="utf-8"))
    for path in sorted(timelines.FOLDER.glob("*.svg")):
        texts[path] = timelines.for_phones(path.read_text(encoding="utf-8"))
    return texts


def plotted():
    return {plots.FOLDER / f"{figure.name.removesuffix('-narrow')}.svg": plots.svg(figure)
            for figure in plots.all_figures().values() if figure.name.endswith("-narrow")}  # fmt: skip


def has_matplotlib(python):
    return python.is_file() and subprocess.run([python, "-c", "import matplotlib"], capture_output=True,
                                               check=False).returncode == 0  # fmt: skip


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit("phones: want a FOLDER")
    has_it = importlib.util.find_spec("matplotlib") is not None
    if not has_it and pathlib.Path(sys.executable).resolve() != SYSTEM.resolve() and has_matplotlib(SYSTEM):
        return subprocess.run([SYSTEM, "-B", PAGES, "phones", *arguments], check=False).returncode
    texts = without_plots() | (plotted() if has_it else {})
    for path, text in texts.items():
        file = pathlib.Path(arguments[0]) / path.relative_to(ROOT)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    if not has_it:
        print("Phones get the wide plots: matplotlib is not here (Debian, Ubuntu: python3-matplotlib).")
    return 0
