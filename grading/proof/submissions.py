"""What is handed in to prove the grader with: cheats, files of odd shapes, model and wrong solutions.

A cheat is a file of cheats/, in a room by what it goes for: code/ (what the compiler and the assembler are given),
symbols/ (the linker), process/ (the program, its limits, the grader), memory/ (data and results that host code has no
right to), recording/ (what is counted and found), knowledge/ (what it knows of the checks and the data), exercises/
(what one exercise alone asks for). Its name tells it apart from all others. It begins with

    // A cheat for 01a: what it tries, in a sentence.
    // expected: WHAT
    // time limit: 2 s                       (of a case; only where the cheat would use it up)
    // not in the report: TEXT               (what no report may ever show)
    // told: TEXT                            (what the message of some case must hold)
    // needs: PROGRAM                        (without which nobody sees what is wrong)
    // expected without clang++: WHAT        (which sees it before anything runs)

where WHAT is one of

    full marks
    0 points                                 it is graded, and worth nothing
    correct 5, safe 2, efficient 0           it is graded: points by criterion
    refused: TEXT                            it is not even run, for a reason that holds TEXT
    does not compile: TEXT                   the same; TEXT may be missing

A file of right/, or of right/exercises/ (what one exercise alone allows), is not a cheat, but a right solution in other
words than the model's. It begins with "A right solution for 01a: ..." and has the same lines.

@SOURCE@ in a cheat stands for the folder of the checkout.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
STATES = ("missing", "not a file", "too large", "not text", "does not compile", "refused", "not graded")


class Expected:
    """What marks should say of one exercise: the state, the points by criterion, and a part of the reason."""

    def __init__(self, state, criteria=None, text=""):
        self.state = state
        self.criteria = criteria  # None: all of them 0; "full": all that there are
        self.text = text

    def faults(self, mark):
        """What is wrong with an exercise's marks, a line each."""
        if mark["state"] != self.state:
            return [f"expected it to be {self.state!r}, but it is {mark['state']!r}: {mark['reason']}"]
        faults = []
        if self.text and self.text not in "\n".join([mark["reason"], *mark["details"]]):
            faults.append(f"expected {self.text!r} in the reason, which is {mark['reason']!r}")
        for name, points in mark["criteria"].items():
            want = points["of"] if self.criteria == "full" else (self.criteria or {}).get(name, 0)
            if points["points"] != want:
                faults.append(f"{name}: expected {want} points, but there are {points['points']} of {points['of']}")
        if self.state == "not graded":
            return faults if mark["points"] is None else [*faults, "it has points, and is not graded"]
        if mark["points"] != sum(points["points"] for points in mark["criteria"].values()):
            faults.append("the points of the criteria do not add up")
        return faults

    def points(self, of):
        """The points by criterion. `of`: the most that there are."""
        if self.criteria == "full":
            return dict(of)
        return {name: (self.criteria or {}).get(name, 0) for name in of}


FULL = Expected("graded", "full")


def read_expected(text):
    if text == "full marks":
        return FULL
    if text == "0 points":
        return Expected("graded")
    state, _, reason = text.partition(":")
    if state in STATES:
        return Expected(state, None, reason.strip())
    criteria = {}
    for part in text.split(", "):
        match = re.fullmatch(r"(correct|safe|efficient) (\d+)", part)
        if not match:
            raise ValueError(f"'{text}' is nothing to expect")
        criteria[match[1]] = int(match[2])
    return Expected("graded", criteria)


class Cheat:
    def __init__(self, path):
        self.name = path.stem
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("// "):
                break
            lines.append(line[3:])
        head = "\n".join(lines)
        match = re.match(r"A (?:cheat|right solution) for (\d\d[a-z]): ", head)
        if not match:
            raise ValueError(f"{path}: does not begin with 'A cheat for 01a: ...', or 'A right solution for 01a: ...'")
        self.exercise = match[1]
        found = dict(re.findall(r"^(expected|time limit|not in the report|needs|told): (.*)$", head, re.MULTILINE))
        if "expected" not in found:
            raise ValueError(f"{path}: does not say what is expected")
        self.expected = read_expected(found["expected"])
        without = re.search(r"^expected without (\S+): (.*)$", head, re.MULTILINE)
        if without and shutil.which(without[1]) is None:
            self.expected = read_expected(without[2])
        self.time_limit = int(found["time limit"].split()[0]) if "time limit" in found else None
        self.never_shown = found.get("not in the report")
        self.told = found.get("told")
        self.missing = "needs" in found and shutil.which(found["needs"]) is None

    def hand_in(self, folder, file):
        text = self.text.replace("@SOURCE@", str(SOURCE))
        (folder / file).write_text(text, encoding="utf-8")


def cheats():
    paths = sorted((HERE / "cheats").glob("*/*.cu"), key=lambda path: path.stem)
    found = {path.stem: Cheat(path) for path in paths}
    if len(found) != len(paths):
        raise ValueError("two cheats have one name")
    return found


def rights():
    return {path.stem: Cheat(path) for path in sorted((HERE / "right").rglob("*.cu"), key=lambda path: path.stem)}


# ----------------------------------------------------------------------------------------------------------------------
# Shapes: what else can be in the place of a file. Each is a function (folder, file, model's text, exercise).


def _empty(folder, file, model, exercise):
    (folder / file).write_bytes(b"")


def _blank(folder, file, model, exercise):
    (folder / file).write_bytes(b" \t\r\n\n" * 100)


def _binary(folder, file, model, exercise):
    (folder / file).write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 16)


def _bytes_that_are_no_text(folder, file, model, exercise):
    (folder / file).write_bytes(bytes(range(128, 256)) * 16 + b"\x1b[2J\x07")


def _nul_bytes(folder, file, model, exercise):
    (folder / file).write_bytes(model.encode().replace(b"\n", b"\n\0", 3))


def _ten_megabytes(folder, file, model, exercise):
    (folder / file).write_bytes(model.encode() + b"// and so on\n" * (10 * 1024 * 1024 // 13))


def _endless_line(folder, file, model, exercise):
    (folder / file).write_bytes(b"(" * 200_000)


def _link_to_the_solution(folder, file, model, exercise):
    (folder / file).symlink_to(SOURCE / "solutions" / exercise["name"] / file)


def _link_to_a_system_file(folder, file, model, exercise):
    (folder / file).symlink_to("/etc/passwd")


def _link_to_nothing(folder, file, model, exercise):
    (folder / file).symlink_to("nowhere")


def _link_to_a_device(folder, file, model, exercise):
    (folder / file).symlink_to("/dev/zero")


def _linked_folder(folder, file, model, exercise):
    (folder / exercise["name"]).symlink_to(SOURCE / "solutions" / exercise["name"], target_is_directory=True)


def _a_folder(folder, file, model, exercise):
    (folder / file).mkdir()
    (folder / file / file).write_text(model)


def _a_pipe(folder, file, model, exercise):
    os.mkfifo(folder / file)


def _no_file(folder, file, model, exercise):
    (folder / "notes.txt").write_text("I was ill.\n")


def _nothing(folder, file, model, exercise):
    pass


def _unreadable(folder, file, model, exercise):
    (folder / file).write_text(model)
    (folder / file).chmod(0)


def _syntax_error(folder, file, model, exercise):
    (folder / file).write_text(model.replace(";", "", 1))


def _without_the_function(folder, file, model, exercise):
    (folder / file).write_text('#include "check.hpp"\n\nvoid something_else() {}\n')


def _utf16(folder, file, model, exercise):
    (folder / file).write_bytes(model.encode("utf-16"))


def _utf8_with_a_mark(folder, file, model, exercise):
    (folder / file).write_bytes(b"\xef\xbb\xbf" + model.encode())


def _latin1(folder, file, model, exercise):
    (folder / file).write_bytes("// Lösung von Jürgen Groß\n".encode("latin-1") + model.encode())


def _windows_lines(folder, file, model, exercise):
    (folder / file).write_bytes(model.replace("\n", "\r\n").encode())


def _no_last_line_end(folder, file, model, exercise):
    (folder / file).write_text(model.rstrip("\n"))


def _other_case(folder, file, model, exercise):
    (folder / file.capitalize()).write_text(model)


def _in_a_folder(folder, file, model, exercise):
    (folder / exercise["name"]).mkdir()
    (folder / exercise["name"] / file).write_text(model)


def _a_whole_checkout(folder, file, model, exercise):
    place = folder / "exercises" / exercise["name"]
    place.mkdir(parents=True)
    (place / file).write_text(model)
    # What a submission has besides has no say.
    (place / "check.cpp").write_text("#error not this one\n")
    (folder / "common" / "lesson").mkdir(parents=True)
    (folder / "common" / "lesson" / "check.hpp").write_text("#error not this one\n")


# What each is worth; a pair where it depends on whether we are root, who can read everything.
_SHAPES = {
    "empty": (_empty, "not text: empty"),
    "blank": (_blank, "not text: empty"),
    "binary": (_binary, "not text"),
    "bytes that are no text": (_bytes_that_are_no_text, "does not compile"),
    "NUL bytes": (_nul_bytes, "not text"),
    "ten megabytes": (_ten_megabytes, "too large"),
    "an endless line": (_endless_line, "does not compile"),
    "a link to the solution": (_link_to_the_solution, "not a file: symbolic link"),
    "a link to a system file": (_link_to_a_system_file, "not a file: symbolic link"),
    "a link to nothing": (_link_to_nothing, "not a file: symbolic link"),
    "a link to a device": (_link_to_a_device, "not a file: symbolic link"),
    "a linked folder": (_linked_folder, "not a file: symbolic link"),
    "a folder": (_a_folder, "not a file: folder"),
    "a pipe": (_a_pipe, "not a file: pipe"),
    "no file": (_no_file, "missing"),
    "nothing": (_nothing, "missing"),
    "unreadable": (_unreadable, ("full marks", "not graded: cannot be read")),
    "a syntax error": (_syntax_error, "does not compile: error"),
    "without the function": (_without_the_function, "does not compile"),
    "UTF-16": (_utf16, "not text"),
    "UTF-8 with a mark": (_utf8_with_a_mark, "full marks"),
    "Latin-1": (_latin1, "full marks"),
    "lines as on Windows": (_windows_lines, "full marks"),
    "no last line end": (_no_last_line_end, "full marks"),
    "a name in other case": (_other_case, "missing: which is another name"),
    "in a folder": (_in_a_folder, "full marks"),
    "a whole checkout": (_a_whole_checkout, "full marks"),
}


class Shape:
    def __init__(self, name):
        self.name = name
        self.exercise = "01a"
        make, expected = _SHAPES[name]
        if isinstance(expected, tuple):
            expected = expected[0 if os.geteuid() == 0 else 1]
        self.make = make
        self.expected = read_expected(expected)
        self.time_limit = None
        self.never_shown = "root:" if "system file" in name else None

    def hand_in(self, folder, file, exercise):
        self.make(folder, file, model_text(exercise), exercise)


def shapes():
    return {name: Shape(name) for name in _SHAPES}


# ----------------------------------------------------------------------------------------------------------------------
# The build.


def read_exercises(build):
    """The exercises of a build folder, by id, and how a file is compiled and linked."""
    known = json.loads((Path(build) / "exercises.json").read_text())
    return {exercise["id"]: exercise for exercise in known["exercises"]}, known


def most_points(exercise):
    """The points that there are, by criterion."""
    most = {}
    for case, points in zip(exercise["cases"], exercise["case_points"]):
        criterion = case.partition(":")[0]
        most[criterion] = most.get(criterion, 0) + points
    return most


def without_regions(text, which):
    """A model solution as handed in (`which` is "solution"), or as handed out ("stub")."""
    kept = []
    region = None
    lines_of_solution = 0
    stub = []
    for line in text.splitlines():
        word = line.strip()
        if word == "//@stub":
            region, stub, lines_of_solution = "stub", [], 0
        elif word == "//@solution":
            region = "solution"
        elif word == "//@end":
            if which == "stub":
                kept += [part.replace("{lines}", str(lines_of_solution)) for part in stub]
            region = None
        elif region == "stub":
            before = line[: len(line) - len(line.lstrip())]
            stub.append((before + word[3:].removeprefix(" ")).rstrip())
        elif region == "solution" and which == "stub":
            lines_of_solution += bool(word) and not word.startswith("//")
        else:
            kept.append(line)
    return "\n".join(kept) + "\n"


def model_text(exercise):
    return without_regions((Path(exercise["solution"]) / exercise["file"]).read_text(encoding="utf-8"), "solution")


def stub_text(exercise):
    return without_regions((Path(exercise["solution"]) / exercise["file"]).read_text(encoding="utf-8"), "stub")


def wrong_solutions(exercise):
    """The differences from the model solution, as tools/exercises/wrong_solution.hpp has them."""
    return sorted((Path(exercise["solution"]) / "wrong").glob("*.patch"))


def wrong_text(exercise, patch):
    """A wrong solution as handed in."""
    with tempfile.TemporaryDirectory(prefix="course-wrong-") as folder:
        model = Path(folder) / exercise["file"]
        model.write_text(model_text(exercise), encoding="utf-8")
        command = ["patch", "--unified", "--fuzz=0", "--force", "--silent", "--reject-file=-", model, patch]
        subprocess.run(command, check=True)
        return model.read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------------------------------------------
# The grader.


NOT_ISOLATED = (
    "SKIPPED: bubblewrap is not here or may not make namespaces, or there was no Valgrind to make a witness of "
    "(Debian: bubblewrap, valgrind)")


def isolation_works(build=None):
    """Whether bubblewrap is here and may do what it is for, and the build has made a witness."""
    if build and not list(Path(build).glob("grading/witness/witness-*")):
        return False
    if not shutil.which("bwrap"):
        return False
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--die-with-parent", "true"]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def grade_command(build, *arguments):
    return [str(Path(build) / "bin" / "course-grade"), *map(str, arguments)]
