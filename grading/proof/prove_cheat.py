#!/usr/bin/env python3
"""Grades cheats, files of odd shapes and model solutions, and holds the marks against what is expected.

    prove_cheat.py BUILD cheat NAME...       cheats/*/NAME.cu
    prove_cheat.py BUILD right NAME...       right/NAME.cu, right/*/NAME.cu
    prove_cheat.py BUILD shape NAME...       one of the shapes in submissions.py
    prove_cheat.py BUILD model ID...         the model solution of an exercise; full marks
    prove_cheat.py --list cheat|right|shape  their names

Exit status 0: as expected; 1: not; 2: the command line; 77: submissions cannot be isolated here.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import submissions

SKIPPED = 77
LONGEST = 240  # seconds for any of them


class Model:
    def __init__(self, exercise):
        self.name = self.exercise = exercise
        self.expected = submissions.FULL
        self.time_limit = None
        self.never_shown = None


def contents(folder):
    """What is below a folder, to see whether it is touched."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found


def hand_in(one, folder, exercise):
    if isinstance(one, Model):
        (folder / exercise["file"]).write_text(submissions.model_text(exercise), encoding="utf-8")
    elif isinstance(one, submissions.Shape):
        one.hand_in(folder, exercise["file"], exercise)
    else:
        one.hand_in(folder, exercise["file"])


def prove(build, exercises, one):
    """What is wrong with the marks of a submission, a line each."""
    exercise = exercises[one.exercise]
    with tempfile.TemporaryDirectory(prefix="course-cheat-") as scratch:
        submission = Path(scratch) / "submission"
        submission.mkdir()
        hand_in(one, submission, exercise)
        before = contents(submission)
        marks_file = Path(scratch) / "marks.json"
        junit_file = Path(scratch) / "marks.xml"
        command = submissions.grade_command(
            build, one.exercise, "--submission", submission, "--json", marks_file, "--junit", junit_file)
        if one.time_limit:
            command += ["--time-limit", str(one.time_limit)]
        begin = time.monotonic()
        try:
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return [f"grading did not end within {LONGEST} s"]
        seconds = time.monotonic() - begin
        errors = result.stderr.decode(errors="replace")
        if result.returncode != int(one.expected.state == "not graded") or not marks_file.exists():
            return [f"the grader ended with exit status {result.returncode}: {errors.strip()}"]
        text = marks_file.read_text(encoding="utf-8")
        marks = json.loads(text)
        mark = marks["exercises"][0]
        faults = one.expected.faults(mark)
        shown = result.stdout.decode(errors="replace") + errors + text + junit_file.read_text(encoding="utf-8")
        told = getattr(one, "told", None)
        if told and not any(told in case["message"] for case in mark["cases"]):
            faults.append(f"no case says {told!r}")
        if one.never_shown and one.never_shown in shown:
            faults.append(f"the report shows {one.never_shown!r}")
        if (contents(submission) if submission.exists() else {}) != before:
            faults.append("what was handed in has been changed")
        said = mark["reason"] or f"{mark['points']} of {mark['of']} points"
        print(f"{one.name}: {mark['state']}, {said} ({seconds:.1f} s)", flush=True)
        if faults:
            for case in mark["cases"]:
                print(f"    {case['result']}: {case['case']}: {case['message'][:300]}")
            for detail in mark["details"][:10]:
                print(f"    {detail[:200]}")
        return faults


def main(arguments):
    kinds = {"cheat": submissions.cheats, "right": submissions.rights, "shape": submissions.shapes}
    if len(arguments) == 2 and arguments[0] == "--list" and arguments[1] in kinds:
        print("\n".join(kinds[arguments[1]]()))
        return 0
    if len(arguments) < 3 or arguments[1] not in ("cheat", "right", "shape", "model"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, kind, names = arguments[0], arguments[1], arguments[2:]
    try:
        exercises, _ = submissions.read_exercises(build)
        known = kinds[kind]() if kind in kinds else {name: Model(name) for name in exercises}
        chosen = list(known) if names == ["all"] else names
        for name in chosen:
            if name not in known:
                raise ValueError(f"there is no {kind} '{name}'")
    except (OSError, ValueError) as error:
        print(f"prove_cheat: {error}", file=sys.stderr)
        return 2
    if not submissions.isolation_works(build):
        print(submissions.NOT_ISOLATED)
        return SKIPPED
    missing = [name for name in chosen if getattr(known[name], "missing", False)]
    if missing == chosen:
        print("SKIPPED: what sees this is not installed")
        return SKIPPED
    status = 0
    for name in chosen:
        if name in missing:
            continue
        faults = prove(build, exercises, known[name])
        for fault in faults:
            print(f"FAILED {name}: {fault}", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:]))
