#!/usr/bin/env python3
"""Makes a class that hands in: 100 submissions of one exercise, and what each is worth.

    make_class.py --build BUILD --out DIR [--exercise 01a] [--students 100]

DIR/submissions holds one entry per student, DIR/expected.csv the points by criterion. The same call makes the same
class: model solutions written in a hundred ways, the wrong solutions, the stub, files of odd shapes and cheats.
What the wrong solutions and the stub are worth is found out without the grader: each is compiled and linked with the
exercise's checks as `./course check` does it. What the cheats are worth, they say themselves.

Exit status 0: made; 2: the command line.
"""

import argparse
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import submissions

CRITERIA = ("correct", "safe", "efficient")

# Names, as students have them, and one that would like to be something else.
FIRST = ("Anna Ben Chiara David Elif Frieda Gustav Hannah Ivo Jule Karim Lena Mats Nora Oskar Paula Quentin Rosa "
         "Samir Tilda Ulla Viktor Wanda Xenia Yusuf").split()
LAST = ["Alder", "Berg", "Costa", "O'Hara"]
ODD = ["=1+1 Formula", "Łukasz Żak", "<b>Bold<b> & Sons", "a, comma; and more"]

OTHER_NAMES = {
    "sum": ["s", "total", "acc", "result", "scalar_product"],
    "row": ["a", "line", "row_of_A", "my_row"],
    "block": ["threads", "block_size", "threads_a_block"],
    "grid": ["blocks", "grid_size", "number_of_blocks"],
    "residual": ["residual_kernel", "compute", "kernel", "one_row_a_thread"],
    "i": ["index", "k_row", "t", "id"],
}


def rewritten(text, chance):
    """A model solution in the words of another person: names, comments and indentation differ."""
    for old, new in OTHER_NAMES.items():
        if chance.random() < 0.7:
            text = re.sub(rf"(?<![\w\"/.]){old}\b(?!\.)", chance.choice(new), text)
    lines = []
    indentation = chance.choice(["  ", "   ", "    ", "\t"])
    for line in text.splitlines():
        code, comment, rest = line.partition("//")
        if comment:
            line = code.rstrip() if chance.random() < 0.6 else f"{code}// {rest.strip().lower()}"
        depth = (len(line) - len(line.lstrip(" "))) // 2
        line = indentation * depth + line.lstrip(" ")
        lines.append(line)
        if chance.random() < 0.08:
            lines.append(indentation * depth + "// TODO clean up" if chance.random() < 0.5 else "")
    return "\n".join(lines) + "\n"


class Checks:
    """The exercise's checks without the grader: what `./course check` says of a file."""

    def __init__(self, build):
        self.exercises, self.known = submissions.read_exercises(build)

    def points(self, exercise, text):
        with tempfile.TemporaryDirectory(prefix="course-class-") as folder:
            source, made = Path(folder) / exercise["file"], Path(folder) / "student.o"
            check, results = Path(folder) / "check", Path(folder) / "results"
            source.write_text(text, encoding="utf-8")
            compiled = self.known["compile"] + exercise["compile"] + ["-c", str(source), "-o", str(made)]
            subprocess.run(compiled, check=True, cwd=submissions.SOURCE, stderr=subprocess.DEVNULL)
            linked = (self.known["link"] + [str(made)] + exercise["objects"] + ["-o", str(check)] +
                      exercise["libraries"])
            subprocess.run(linked, check=True)
            environment = dict(os.environ, COURSE_CHECK_RESULTS=str(results))
            subprocess.run([str(check)], cwd=submissions.SOURCE, env=environment, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            found = {}
            for line in results.read_text().splitlines():
                told = json.loads(line)
                found[told["case"]] = told["result"]
        points = dict.fromkeys(submissions.most_points(exercise), 0)
        for case, worth in zip(exercise["cases"], exercise["case_points"]):
            if found[case] == "passed":
                points[case.partition(":")[0]] += worth
        return points


class Class:
    def __init__(self, build, exercise_id, out, students):
        self.checks = Checks(build)
        if exercise_id not in self.checks.exercises:
            raise ValueError(f"there is no exercise '{exercise_id}'")
        self.exercise = self.checks.exercises[exercise_id]
        self.most = submissions.most_points(self.exercise)
        self.folder = out / "submissions"
        self.folder.mkdir(parents=True)
        self.students = students
        self.rows = []
        self.chance = random.Random(20)
        self.names = self._names()

    def _names(self):
        names = [f"{first} {last}" for last in LAST for first in FIRST]
        self.chance.shuffle(names)
        names[: len(ODD)] = ODD
        names += [f"Guest {k}" for k in range(max(0, self.students - len(names)))]
        return iter(names)

    def _enter(self, what, state, points):
        """The folder of a new student."""
        name = next(self.names)
        self.rows.append({"student": name, "what": what, "state": state, **points, "total": sum(points.values())})
        folder = self.folder / name
        folder.mkdir()
        return folder

    def add_text(self, what, text, points):
        folder = self._enter(what, "graded", points)
        # In any of the places where it may lie.
        place = self.chance.choice(["", self.exercise["name"], "exercises/" + self.exercise["name"]])
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / self.exercise["file"]).write_text(text, encoding="utf-8")

    def add_model(self, number):
        model = submissions.model_text(self.exercise)
        text = model if number == 0 else rewritten(model, self.chance)
        self.add_text("model", text, self.most)

    def add_wrong(self, path):
        text = submissions.wrong_text(self.exercise, path)
        self.add_text(f"wrong/{path.name}", text, self.checks.points(self.exercise, text))

    def add_stub(self):
        text = submissions.stub_text(self.exercise)
        self.add_text("stub", text, self.checks.points(self.exercise, text))

    def add_shape(self, shape):
        folder = self._enter(f"shape: {shape.name}", shape.expected.state, shape.expected.points(self.most))
        shape.hand_in(folder, self.exercise["file"], self.exercise)

    def add_cheat(self, cheat):
        folder = self._enter(f"cheat: {cheat.name}", cheat.expected.state, cheat.expected.points(self.most))
        cheat.hand_in(folder, self.exercise["file"])

    def write(self, out):
        self.rows.sort(key=lambda row: row["student"])
        with open(out / "expected.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["student", "what", "state", *self.most, "total"])
            writer.writeheader()
            writer.writerows(self.rows)


def spread(things, count):
    """So many of a list, evenly."""
    count = min(count, len(things))
    return [things[k * len(things) // count] for k in range(count)]


def make(build, exercise, out, students):
    made = Class(build, exercise, out, students)
    # Which user may read what depends on the machine.
    shapes = [shape for name, shape in submissions.shapes().items() if name != "unreadable"]
    cheats = [cheat for cheat in submissions.cheats().values() if cheat.exercise == exercise and not cheat.missing]
    quick = [cheat for cheat in cheats if cheat.time_limit is None]
    endless = [cheat for cheat in cheats if cheat.time_limit is not None]
    wrong = submissions.wrong_solutions(made.exercise)
    share = students / 100
    made.add_stub()
    for path in spread(wrong, max(2, round(len(wrong) * min(1, share)))):
        made.add_wrong(path)
    for shape in spread(shapes, max(2, round(18 * share))):
        made.add_shape(shape)
    for cheat in spread(quick, max(2, round(22 * share))) + spread(endless, max(1, round(2 * share))):
        made.add_cheat(cheat)
    for number in range(students - len(made.rows)):
        made.add_model(number)
    made.write(out)
    return made.rows


def read_command_line(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--exercise", default="01a")
    parser.add_argument("--students", type=int, default=100)
    options = parser.parse_args(words)
    if options.students < 12:
        parser.error("--students wants 12 or more, one of each kind")
    if options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} is there already")
    return options


if __name__ == "__main__":
    chosen = read_command_line(sys.argv[1:])
    try:
        rows_made = make(chosen.build, chosen.exercise, chosen.out, chosen.students)
    except (OSError, ValueError) as error:
        sys.exit(f"make_class: {error}")
    print(f"{len(rows_made)} submissions in {chosen.out / 'submissions'}")
