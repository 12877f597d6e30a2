"""What %course does: runs ./course within limits and makes a cell's output of what it says. Needs no IPython."""

import json
import os
import shlex
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from .checkout import Checkout, CourseError

HELP = """%course COMMAND [ARGUMENT...]           a command of ./course, from the cell
%%course check 01a                       the cell is your file of the exercise: it is saved there, and checked

  check 01a          compiles your file and runs its checks
  hint 01a           the next hint
  hand-in 01a        sends your file to the teacher's hub
  list               the chapters, and the exercises with what you have solved
  run 02 --rows 900  a chapter's program
  traffic 02         ... and the memory traffic of each line; traffic 01a: of your kernels
  picture 02 --line 19, picture --timeline 15
                     draws what a warp asks of memory at a line, or what ran in which stream
  reset 01a, solution 01a, grade 01a
                     as ./course --help says

A command may take 600 s, or those of the variable COURSE_CELL_SECONDS."""

COMMANDS = ("check", "doctor", "grade", "hint", "list", "picture", "reset", "run", "solution", "traffic")
AT_A_TERMINAL = ("tour", "watch", "test", "measure", "docs", "cutensor", "emucc", "notebooks", "new-exercise")


def seconds():
    try:
        return float(os.environ.get("COURSE_CELL_SECONDS", "600"))
    except ValueError:
        raise CourseError("COURSE_CELL_SECONDS wants a number of seconds") from None


class Session:
    """The commands of one notebook."""

    def __init__(self):
        self.checkout = Checkout()
        self.checkout.use_emucc()
        from emucc import cells  # pylint: disable=import-outside-toplevel
        from . import views  # pylint: disable=import-outside-toplevel

        self.cells, self.views = cells, views
        self.written = {}  # of a file: the text that a cell of this notebook wrote

    def obey(self, line, cell=None):
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise CourseError(f"{error}: {line}") from error
        command, arguments = (words[0], words[1:]) if words else ("--help", [])
        if command in ("--help", "-h", "help"):
            return self.views.Page().add("output", HELP)
        if cell is not None and (command != "check" or len(arguments) != 1):
            raise CourseError("a cell is saved by %%course check 01a, with one exercise")
        if command == "hand-in":
            return self.hand_in(arguments)
        if command in AT_A_TERMINAL:
            raise CourseError(f"{command} is for a terminal: ./course {command}")
        if command not in COMMANDS:
            raise CourseError(f"there is no command '{command}' (%course --help)")
        if cell is not None:
            return self.check(arguments, self.save(arguments[0], cell))
        return {"check": self.check, "picture": self.picture, "hint": self.hint,
                "solution": self.solution}.get(command, self.plain)(arguments, command=command)  # fmt: skip

    def run(self, *words):
        return self.cells.run([self.checkout.command, "--no-install", *words], seconds())

    def finish(self, done, page):
        """Ends a page as the command ended: with its own last line, if it could not be done."""
        if done.failed:
            page.add("errors", done.errors)
            page.end(done.ending(), done.status or 1)
        return page

    # ---------------------------------------------------------------- commands

    def plain(self, arguments, command):
        done = self.run(command, *arguments)
        return self.finish(done, self.views.Page().add("output", done.out))

    def check(self, arguments, kept="", command="check"):
        with tempfile.TemporaryDirectory(prefix="course-check-") as folder:
            file = Path(folder) / "check.json"
            done = self.run(command, *arguments, "--json", file)
            if done.stopped or not file.is_file():
                return self.finish(done, self.views.Page().add("output", done.out))
            checked = json.loads(file.read_text(encoding="utf-8"))["exercises"]
        page = self.views.Page().add("output", kept)
        for exercise in checked:
            page.add_exercise(exercise, (self.checkout.folder / exercise["file"]).read_text("utf-8", "replace"))
        page.status = done.status
        return page

    def picture(self, arguments, command="picture"):
        words = [word.partition("=")[0] for word in arguments]
        if "--out" in words or not {"--line", "--timeline"} & set(words):
            return self.plain(arguments, command)  # without a line it lists what can be drawn
        with tempfile.TemporaryDirectory(prefix="course-picture-") as folder:
            file = Path(folder) / "picture.svg"
            # --out is before the program's own options.
            end = arguments.index("--") if "--" in arguments else len(arguments)
            done = self.run(command, *arguments[:end], "--out", file, *arguments[end:])
            page = self.views.Page()
            if not done.failed and file.is_file():
                return page.add("picture", file.read_text(encoding="utf-8"))
            return self.finish(done, page.add("output", done.out))

    def hint(self, arguments, command="hint"):
        done = self.run(command, *arguments)
        return self.finish(done, self.views.Page().add("text", done.out.replace("./course hint", "%course hint")))

    def solution(self, arguments, command="solution"):
        done = self.run(command, *arguments)
        return self.finish(done, self.views.Page().add("code", done.out))

    # ---------------------------------------------------------------- the student's file

    def save(self, word, text):
        """Writes the cell to the exercise's file. A text that no cell of this notebook wrote there is kept. Says so."""
        exercise = self.checkout.exercise(word)
        file = self.checkout.source(exercise)
        text = text.rstrip("\n") + "\n"
        old = file.read_text("utf-8", "replace") if file.is_file() else None
        said = ""
        if old is not None and old.rstrip("\n") + "\n" not in (text, self.written.get(file)):
            folder = self.checkout.folder / ".course/kept"
            folder.mkdir(parents=True, exist_ok=True)
            kept = folder / f"{exercise['name']}-{time.strftime('%Y-%m-%d-%H%M%S')}{file.suffix}"
            kept.write_text(old, encoding="utf-8")
            said = f"What {file.name} was before is kept in {kept.relative_to(self.checkout.folder)}."
        if old != text:
            file.write_text(text, encoding="utf-8")
        self.written[file] = text
        return said

    def hand_in(self, words):
        """Sends files to the service of the hub, which knows by the server's token whose they are."""
        address, token = os.environ.get("COURSE_HAND_IN_URL"), os.environ.get("JUPYTERHUB_API_TOKEN")
        if not words:
            raise CourseError("hand-in wants an exercise: %course hand-in 01a")
        if not address or not token:
            raise CourseError("there is no hub here to hand in to: your teacher says how the files are sent")
        page = self.views.Page()
        for word in words:
            exercise = self.checkout.exercise(word)
            file = self.checkout.source(exercise)
            request = urllib.request.Request(f"{address.rstrip('/')}/{exercise['name']}", method="POST",
                                             data=file.read_bytes(), headers={"Authorization": f"token {token}"})
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    receipt = json.load(response)
            except urllib.error.HTTPError as error:
                said = error.read(1000).decode("utf-8", "replace").strip()
                said = said.splitlines()[-1] if said else error
                raise CourseError(f"{exercise['id']} was not handed in: {said}") from None
            except (OSError, ValueError) as error:
                raise CourseError(f"{exercise['id']} was not handed in: {error}") from None
            page.end(f"handed in: {file.name} of {exercise['id']}, {receipt['bytes']:,} bytes, at {receipt['time']}", 0)
        return page
