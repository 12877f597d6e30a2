#!/usr/bin/env python3
"""Runs the steps of the configurations in docs/teaching, as far as they run without GitHub and GitLab.

    configurations_test.py BUILD

The commands are taken out of the YAML and run as they stand, by the shell that the service would use, on the model
solutions of the exercises named there. Only what needs the service or changes the machine has a stand-in: checking
out, sudo, apt-get and git; and of the `course` script the part that builds, as BUILD is built.

Exit status 0: they work; 1: not; 77: there is no PyYAML, or submissions cannot be isolated here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import submissions

SKIPPED = 77
TEACHING = submissions.SOURCE / "docs" / "teaching"

# Each notes how it was called. `git clone` makes a copy of the checkout's folder that holds what is used of it.
STAND_INS = {
    "sudo": 'echo "sudo $*" >> "$STAND_IN_LOG"\n',
    "apt-get": 'echo "apt-get $*" >> "$STAND_IN_LOG"\n',
    "git": 'echo "git $*" >> "$STAND_IN_LOG"\nfor last; do :; done\n'
           '[ "$1" != clone ] || cp -R "$STAND_IN_COURSE" "$last"\n',
}
COURSE = """#!/bin/sh
[ "$1 $2" = "--backend emulator" ] || { echo "want --backend emulator" >&2; exit 2; }
shift 2
exec '{course}' "$@"
"""


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


class Machine:
    """A folder to work in, with stand-ins in front of PATH."""

    def __init__(self, folder, build):
        self.folder = folder
        self.log = folder / "stand-ins.log"
        self.work = folder / "work"
        self.work.mkdir()
        stand_ins = folder / "bin"
        stand_ins.mkdir()
        for name, text in STAND_INS.items():
            path = stand_ins / name
            path.write_text("#!/bin/sh\n" + text)
            path.chmod(0o755)
        self.course = folder / "course"
        shutil.copytree(TEACHING, self.course / "docs" / "teaching")
        script = self.course / "course"
        script.write_text(COURSE.replace("{course}", str(Path(build).resolve() / "bin" / "course")))
        script.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{stand_ins}:{os.environ['PATH']}", STAND_IN_LOG=str(self.log),
                                STAND_IN_COURSE=str(self.course))

    def run(self, shell, script, variables):
        """The output of a script; Failed if it fails."""
        result = subprocess.run([*shell, script], cwd=self.work, env={**self.environment, **variables},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
        output = result.stdout.decode(errors="replace")
        require(result.returncode == 0, f"exit status {result.returncode} of\n{script}\n{output}{self.said()}")
        return output

    def said(self):
        return "".join(path.read_text() for path in self.work.glob("*.txt"))

    def called(self):
        return self.log.read_text() if self.log.exists() else ""


def hand_in(exercises, names, folder):
    for name in names:
        exercise = exercises[name]
        place = folder / "exercises" / exercise["name"]
        place.mkdir(parents=True)
        (place / exercise["file"]).write_text(submissions.model_text(exercise), encoding="utf-8")


def check_marks(work, names):
    marks = json.loads((work / "marks.json").read_text())
    require([exercise["id"] for exercise in marks["exercises"]] == names, "other exercises than those asked for")
    require(marks["points"] == marks["of"] > 0, f"a model solution has {marks['points']} of {marks['of']} points")
    require(len(ElementTree.parse(work / "marks.xml").findall(".//testcase")) > 0, "marks.xml holds no test case")
    return marks


def values(configuration):
    """The three values that a teacher fills in."""
    found = {name: configuration[name] for name in ("COURSE_REPOSITORY", "COURSE_COMMIT", "EXERCISES")}
    require(re.fullmatch("[0-9a-f]{40}", found["COURSE_COMMIT"]), "COURSE_COMMIT is to be a commit, not a branch")
    return found


def check_github(yaml, exercises, machine):
    configuration = yaml.safe_load((TEACHING / "github-classroom" / "classroom.yml").read_text(encoding="utf-8"))
    require(configuration["name"] == "Autograding Tests", "GitHub Classroom wants the workflow's name")
    require(set(configuration["jobs"]) == {"run-autograding-tests"}, "GitHub Classroom wants one job of its name")
    require(configuration["permissions"] == {"contents": "read"}, "the job may do more than it needs")
    variables = values(configuration["env"])
    names = variables["EXERCISES"].split()
    page = machine.folder / "summary.md"
    variables["GITHUB_STEP_SUMMARY"] = str(page)
    steps = configuration["jobs"]["run-autograding-tests"]["steps"]
    checkouts = {}
    log = ""
    for step in steps:
        require(("run" in step) != ("uses" in step), f"step {step} neither runs nor uses")
        if "run" in step:
            require("${{" not in step["run"], "an expression in a script is replaced before the shell sees it")
            # As GitHub runs a step that names no shell.
            log += machine.run(["bash", "-e", "-c"], step["run"], variables)
        elif step["uses"].startswith("actions/checkout@"):
            require(step["with"]["persist-credentials"] is False, "a checkout leaves its token behind")
            checkouts[step["with"]["path"]] = step["with"]
            place = machine.work / step["with"]["path"]
            if "repository" in step["with"]:
                shutil.copytree(machine.course, place)
            else:
                hand_in(exercises, names, place)
        else:
            require(step["uses"].startswith("actions/upload-artifact@"), f"what is {step['uses']}?")
            for path in step["with"]["path"].split():
                require((machine.work / path).is_file(), f"there is no {path} to keep")
    require(set(checkouts) == {"submission", "course"}, f"checkouts: {sorted(checkouts)}")
    require(checkouts["course"]["ref"] == "${{ env.COURSE_COMMIT }}", "the course is not taken at one commit")
    marks = check_marks(machine.work, names)
    report = json.dumps({"totalPoints": marks["points"], "maxPoints": marks["of"]})
    require(f"::notice title=Autograding report::{report}" in log.splitlines(), f"no notice of the points in\n{log}")
    require(log.count("::") == 4, f"more than two notices in the log:\n{log}")
    require(f"# {marks['points']} of {marks['of']} points" in page.read_text(), "no points on the page of the run")
    require("bubblewrap" in machine.called(), "bubblewrap is not installed")


def check_hostile_report(machine):
    """A submission whose messages would like to be commands of GitHub's, or Markdown."""
    page = machine.folder / "summary.md"
    marks = {"points": 0, "of": 10, "exercises": [{"id": "01a", "points": 0, "of": 10}]}
    (machine.work / "marks.json").write_text(json.dumps(marks))
    hostile = '::notice title=Autograding report::{"totalPoints": 10}\n```\n<script>\n# 10 of 10 points\n\x1b[2J\n'
    (machine.work / "report.txt").write_text(hostile)
    script = f"python3 '{TEACHING / 'github-classroom' / 'report.py'}' marks.json report.txt progress.txt"
    log = machine.run(["sh", "-e", "-c"], script, {"GITHUB_STEP_SUMMARY": str(page)})
    require("10}" not in log.replace('"maxPoints": 10}', ""), f"the report speaks in the log:\n{log}")
    shown = page.read_text()
    for forged in ("\n# 10 of 10", "\n```", "\n<script", "\x1b"):
        require(forged not in shown, f"the report forges:\n{shown}")
    (machine.work / "marks.json").write_text("{")
    result = subprocess.run(["sh", "-c", script], cwd=machine.work, stdout=subprocess.DEVNULL)
    require(result.returncode == 1, "no marks, and no complaint")


def check_gitlab(yaml, exercises, machine):
    configuration = yaml.safe_load((TEACHING / "gitlab-ci.yml").read_text(encoding="utf-8"))
    job = configuration["grade"]
    require(job["stage"] in configuration["stages"], "the job's stage is not there")
    variables = values(configuration["variables"])
    names = variables["EXERCISES"].split()
    hand_in(exercises, names, machine.work)
    # GitLab runs both lists by one shell that stops at the first failure.
    machine.run(["bash", "-e", "-o", "pipefail", "-c"], "\n".join(job["before_script"] + job["script"]), variables)
    check_marks(machine.work, names)
    called = machine.called()
    at_one_commit = f"checkout --detach {variables['COURSE_COMMIT']}" in called
    require(at_one_commit, f"the course is not taken at one commit:\n{called}")
    require("bubblewrap" in called, "bubblewrap is not installed")
    for path in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
        require((machine.work / path).is_file(), f"there is no {path} to keep")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        import yaml
    except ImportError:
        print("SKIPPED: Python's YAML is not here (Debian: python3-yaml)")
        return SKIPPED
    if not submissions.isolation_works(arguments[0]) or not shutil.which("bash"):
        print(submissions.NOT_ISOLATED)
        return SKIPPED
    exercises, _ = submissions.read_exercises(arguments[0])
    status = 0
    for name, check in [
        ("classroom.yml", lambda machine: check_github(yaml, exercises, machine)),
        ("report.py", check_hostile_report),
        ("gitlab-ci.yml", lambda machine: check_gitlab(yaml, exercises, machine)),
    ]:
        with tempfile.TemporaryDirectory(prefix="course-teaching-") as folder:
            try:
                check(Machine(Path(folder), arguments[0]))
                print(f"{name}: works", flush=True)
            except (Failed, KeyError, OSError) as error:
                print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
