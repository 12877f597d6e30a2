#!/usr/bin/env python3
"""Makes an autograder for Gradescope, and grades with it in folders laid out as Gradescope's.

    gradescope_test.py BUILD

`./course grade --gradescope` makes the zip, which is unpacked as source/. In place of the `course` script, which would
build all of it, BUILD's program is called; apt-get notes how it was called; all else runs as it stands. The results are
held against https://gradescope-autograders.readthedocs.io/en/latest/specs/.

Exit status 0: it works; 1: not; 77: there is no git, or submissions cannot be isolated here.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import submissions

SKIPPED = 77
EXERCISES = ["01a", "02c"]
COURSE = """#!/bin/sh
[ "$1 $2" = "--backend emulator" ] || { echo "want --backend emulator" >&2; exit 2; }
shift 2
exec '{course}' "$@"
"""
VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")
FORMATS = ("text", "html", "simple_format", "md", "ansi")
TEXTS, NUMBERS = str, (int, float)
# Gradescope's keys, with what they may hold.
OF_ALL = {"score": NUMBERS, "execution_time": NUMBERS, "output": TEXTS, "output_format": FORMATS,
          "visibility": VISIBILITY, "stdout_visibility": VISIBILITY, "extra_data": dict, "tests": list,
          "leaderboard": list}  # fmt: skip
OF_TEST = {"score": NUMBERS, "max_score": NUMBERS, "status": ("passed", "failed"), "name": TEXTS, "name_format": TEXTS,
           "number": TEXTS, "output": TEXTS, "output_format": FORMATS, "tags": list,
           "visibility": VISIBILITY, "extra_data": dict}  # fmt: skip


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


def check_keys(found, known):
    for key, value in found.items():
        require(key in known, f"Gradescope knows no key {key!r}")
        want = known[key]
        if isinstance(want, tuple) and isinstance(want[0], str):
            require(value in want, f"{key} is {value!r}, want one of {want}")
        else:
            require(isinstance(value, want) and not isinstance(value, bool), f"{key} is {value!r}")


def check_format(results):
    check_keys(results, OF_ALL)
    for test in results["tests"]:
        check_keys(test, OF_TEST)
        require("score" in test and "max_score" in test, f"no score in {test}")
        text = test["name"] + test["output"]
        require(all(c == "\n" or c.isprintable() for c in text), f"control characters in {text!r}")
    require(results["score"] == sum(test["score"] for test in results["tests"]), "the score is not the tests' sum")
    require(results["stdout_visibility"] == "hidden", "students would see what instructors should")


class Autograder:
    """/autograder, in another place."""

    def __init__(self, folder, build):
        self.root = folder / "autograder"
        self.log = folder / "apt-get.log"
        zipped = folder / "lab.zip"
        command = submissions.grade_command(build, *EXERCISES, "--gradescope", zipped, "--seed", 7)
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        require(made.returncode == 0, f"no zip: {made.stdout}")
        source = self.root / "source"
        with zipfile.ZipFile(zipped) as archive:
            archive.extractall(source)
            for entry in archive.infolist():
                if not entry.is_dir():
                    (source / entry.filename).chmod(entry.external_attr >> 16 & 0o777 or 0o644)
            names = archive.namelist()
        for name in ("setup.sh", "run_autograder"):
            require(name in names, f"Gradescope wants {name} at the root of the zip")
            require(os.access(source / name, os.X_OK), f"{name} cannot be run")
        require("course/exercises/01a_residual/check.cpp" in names, "the checks are not in the zip")
        require(os.access(source / "course/course", os.X_OK), "the course script cannot be run")
        require(not any(name.startswith("course/solutions/") for name in names), "the model solutions are in the zip")
        shutil.copy(source / "run_autograder", self.root)
        self.course = source / "course" / "course"
        self.course.write_text(COURSE.replace("{course}", str(Path(build).resolve() / "bin" / "course")))
        stand_ins = folder / "bin"
        stand_ins.mkdir()
        (stand_ins / "apt-get").write_text('#!/bin/sh\necho "$*" >> "$STAND_IN_LOG"\n')
        (stand_ins / "apt-get").chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{stand_ins}:{os.environ['PATH']}", STAND_IN_LOG=str(self.log))

    def run(self, program):
        done = subprocess.run([str(program)], cwd=self.root, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=500)
        return done.returncode, done.stdout.decode(errors="replace")

    @property
    def results(self):
        return self.root / "results" / "results.json"

    def grade(self, files):
        """The results for files by name."""
        shutil.rmtree(self.root / "submission", ignore_errors=True)
        for name, text in files.items():
            path = self.root / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (self.root / "submission").mkdir(exist_ok=True)
        status, said = self.run(self.root / "run_autograder")
        require(status == 0 and self.results.is_file(), f"exit status {status} of run_autograder:\n{said}")
        results = json.loads(self.results.read_text())
        check_format(results)
        return results


def check_all(folder, build):
    exercises, _ = submissions.read_exercises(build)
    grader = Autograder(folder, build)
    status, said = grader.run(grader.root / "source" / "setup.sh")
    require(status == 0, f"exit status {status} of setup.sh:\n{said}")
    require("bubblewrap" in grader.log.read_text(), "bubblewrap is not installed")
    require("02c" in said, f"setup.sh has not graded the stubs:\n{said}")

    first, second = (exercises[name] for name in EXERCISES)
    right = {first["file"]: submissions.model_text(first),
             f"exercises/{second['name']}/{second['file']}": submissions.model_text(second)}  # fmt: skip
    results = grader.grade(right)
    require(results["score"] == first["points"] + second["points"], f"a right submission has {results['score']} points")
    require(all(test["status"] == "passed" for test in results["tests"]), "a test of a right submission failed")
    require("seed 7" in results["output"], f"the seed is not that of the zip: {results['output']}")

    # It compiles up to a message that would like to be more than text; the other is missing.
    wrong = {first["file"]: '#error "</pre><script>alert(1)</script>\x1b[2J\u202e"\n'}
    results = grader.grade(wrong)
    require(results["score"] == 0 and results["tests"], f"a wrong submission has {results['score']} points")
    require(all(test["status"] == "failed" and test["output_format"] == "text" for test in results["tests"]),
            "a test of a wrong submission passed")  # fmt: skip
    require("does not compile" in results["tests"][0]["output"], "the reason is not shown")
    require("missing" in results["tests"][-1]["output"], "nobody says that a file is missing")

    # What fails on our side gives no mark, and leaves no older one.
    for course in ("exit 1", 'while [ "$1" != --json ]; do shift; done; echo "{" > "$2"'):
        grader.course.write_text(f"#!/bin/sh\n{course}\n")
        status, said = grader.run(grader.root / "run_autograder")
        require(status != 0 and not grader.results.exists(), f"marks without a grading ({course}):\n{said}")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if not submissions.isolation_works(arguments[0]) or not shutil.which("bash"):
        print(submissions.NOT_ISOLATED)
        return SKIPPED
    known = subprocess.run(["git", "-C", str(submissions.SOURCE), "rev-parse", "HEAD"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL) if shutil.which("git") else None  # fmt: skip
    if known is None or known.returncode != 0:
        print("SKIPPED: this is no git checkout, of which an autograder could be made")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="course-gradescope-") as folder:
        Path(folder).chmod(0o755)
        try:
            check_all(Path(folder).resolve(), arguments[0])
        except Failed as failed:
            print(f"FAILED: {failed}")
            return 1
    print("an autograder for Gradescope: made, set up, and right, wrong and failing submissions graded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
