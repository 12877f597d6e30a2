"""Where the course is, and its compiler. Needs no IPython."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys


class CourseError(Exception):
    """What cannot be done, in one line."""


class Checkout:
    """A checkout of the course: COURSE_CHECKOUT names it, or the current folder is in it."""

    def __init__(self):
        named = os.environ.get("COURSE_CHECKOUT")
        here = pathlib.Path.cwd()
        for folder in [pathlib.Path(named)] if named else [here, *here.parents]:
            if (folder / "course").is_file() and (folder / "exercises").is_dir():
                self.folder = folder.resolve()
                break
        else:
            raise CourseError("there is no checkout of the course here: start Jupyter in one, or set COURSE_CHECKOUT")
        self.build = pathlib.Path(os.environ.get("COURSE_BUILD_DIR", self.folder / "build")) / "emulator"

    @property
    def command(self):
        return self.folder / "course"

    def use_emucc(self):
        """Makes the package emucc importable, that of the checkout if none is installed, and builds its compiler."""
        if importlib.util.find_spec("emucc") is not None:
            return
        program = self.build / "emulator/emucc"
        if not program.is_file():
            done = subprocess.run([self.command, "--no-install", "emucc", "--version"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
            if not program.is_file():
                said = done.stdout.strip().splitlines() or ["no reason given"]
                raise CourseError(f"emucc cannot be built: {said[-1]}")
        sys.path.append(str(self.folder / "emulator/tools/packaging/python"))
        os.environ.setdefault("EMUCC", str(program))

    def exercise(self, word):
        """The exercise that 01a, 1a or 01a_residual means, as the build lists it."""
        file = self.build / "exercises.json"
        try:
            exercises = json.loads(file.read_text(encoding="utf-8"))["exercises"]
        except (OSError, ValueError, KeyError):
            raise CourseError("the course is not configured yet: %course list does it") from None
        for one in exercises:
            if word in (one["id"], one["id"].removeprefix("0"), one["name"]):
                return one
        raise CourseError(f"there is no exercise '{word}' (%course list names them)")

    def source(self, exercise):
        """The file that a student writes in."""
        return self.folder / "exercises" / exercise["name"] / exercise["file"]
