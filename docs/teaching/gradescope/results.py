#!/usr/bin/env python3
"""Turns the marks of `./course grade --json` into what Gradescope reads: results.py marks.json results.json

The format is Gradescope's: https://gradescope-autograders.readthedocs.io/en/latest/specs/. Each case of each exercise
is a test. Messages are partly the student's text: they are shown as text, without control characters, and cut off where
they are long. Exit status 1 if there are no marks, or something of ours failed: then nothing is written.
"""

import json
import sys
from pathlib import Path

LONGEST = 10_000  # characters of an output
VISIBILITY = "visible"  # of tests and outputs; or "after_due_date", "after_published", "hidden"


def plain(text):
    cut = text if len(text) <= LONGEST else text[:LONGEST] + "\n... (cut off)"
    shown = cut.replace("\t", "    ")
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)


def test_of(exercise, case, number):
    output = case["message"] if case["result"] != "passed" else ""
    if exercise["state"] != "graded":
        output = "\n".join([": ".join(filter(None, (exercise["state"], exercise["reason"]))), *exercise["details"]])
    test = {"name": plain(f"{exercise['id']} {case['case']}"), "number": number, "score": int(case["points"]),
            "max_score": int(case["of"]), "status": "passed" if case["result"] == "passed" else "failed",
            "output": plain(output), "output_format": "text", "visibility": VISIBILITY}  # fmt: skip
    return test


def results(marks):
    """What Gradescope reads; ValueError if an exercise was not graded."""
    tests = []
    lines = []
    for k, exercise in enumerate(marks["exercises"], 1):
        if exercise["points"] is None:
            raise ValueError(f"{exercise['id']} was not graded: {exercise['reason']}")
        tests += [test_of(exercise, case, f"{k}.{n}") for n, case in enumerate(exercise["cases"], 1)]
        lines.append(f"{exercise['id']} {exercise['title']}: {int(exercise['points'])} of {int(exercise['of'])} points")
    lines.append(f"The data of the checks has the seed {int(marks['seed'])}.")
    return {"score": int(marks["points"]), "output": plain("\n".join(lines)), "output_format": "text",
            "execution_time": round(sum(float(one["seconds"]) for one in marks["exercises"])),
            "visibility": VISIBILITY, "stdout_visibility": "hidden", "tests": tests}  # fmt: skip


def main(marks_file, results_file):
    try:
        text = json.dumps(results(json.loads(Path(marks_file).read_text(encoding="utf-8"))), indent=1) + "\n"
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"results.py: no marks: {error}", file=sys.stderr)
        return 1
    Path(results_file).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("results.py: want marks.json results.json", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
