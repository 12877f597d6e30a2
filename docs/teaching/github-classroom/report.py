#!/usr/bin/env python3
"""Shows marks in a run of GitHub's: the points as notices, from which GitHub Classroom takes them, and the report on
the run's page.

    report.py marks.json report.txt progress.txt

The texts are partly the student's: on the page they are shown as they are, without a meaning, and in the log not at
all. Exit status 1 if there are no marks.
"""

import json
import os
import sys
from pathlib import Path

MOST = 200_000  # characters of the report; a page takes a megabyte


def plain(text):
    """Text as Markdown shows it unchanged: a block that is indented cannot be ended from within."""
    printable = "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text[:MOST])
    return "".join(f"    {line}\n" for line in printable.splitlines())


def read(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def main(marks_file, report_file, progress_file):
    summary = os.environ.get("GITHUB_STEP_SUMMARY", os.devnull)
    try:
        marks = json.loads(read(marks_file))
        points, of = int(marks["points"]), int(marks["of"])
    except (ValueError, KeyError, TypeError):
        with open(summary, "a", encoding="utf-8") as page:
            page.write("# No marks\n\nGrading failed. That is no fault of what was handed in.\n\n")
            page.write(plain(read(report_file) + read(progress_file)))
        print("::error title=No marks::Grading failed; the summary of this run says more")
        return 1
    with open(summary, "a", encoding="utf-8") as page:
        page.write(f"# {points} of {of} points\n\n| exercise | points | of |\n|---|---:|---:|\n")
        for exercise in marks["exercises"]:
            page.write(f"| {exercise['id']} | {int(exercise['points'])} | {int(exercise['of'])} |\n")
        page.write("\n" + plain(read(report_file)))
    print(f"::notice title=Autograding complete::Points {points}/{of}")
    print(f"::notice title=Autograding report::{json.dumps({'totalPoints': points, 'maxPoints': of})}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print("report.py: want marks.json report.txt progress.txt", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
