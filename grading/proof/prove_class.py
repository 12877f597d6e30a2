#!/usr/bin/env python3
"""Grades a class that was made for it, and holds every mark against what it should be.

    prove_class.py BUILD [--exercise 01a] [--students 100] [--keep DIR] [--grade OPTION]...

The grader is interrupted halfway, and started again: it must go on, not start again, and come to the same marks. Then
every student's points by criterion are compared, and what is in the table of the class. --keep leaves the class
and its marks in a folder. --grade hands an option on to `./course grade`.

Exit status 0: all as expected; 1: not; 2: the command line; 77: submissions cannot be isolated here.
"""

import argparse
import csv
import json
import signal
import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import make_class
import submissions

SKIPPED = 77
LIMIT = 8 * 60  # seconds that a class of 100 may take
LONGEST = 60 * 60


def finished(out):
    """The marks that are there: when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "marks").glob("*.json")}


def grade(build, exercise, folder, out, options, until=None):
    """Calls the grader. `until`: how many marks are to be there before it is interrupted."""
    command = submissions.grade_command(build, exercise, "--class", folder, "--out", out, *options)
    begin = time.monotonic()
    errors = tempfile.TemporaryFile()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
    try:
        while process.poll() is None:
            if until is not None and len(finished(out)) >= until:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=60)
                break
            if time.monotonic() - begin > LONGEST:
                raise TimeoutError
            time.sleep(0.05)
    except (TimeoutError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
        return None, LONGEST, "it did not end"
    finally:
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    return process.returncode, time.monotonic() - begin, said


def differences(rows, out):
    """Where marks are not what they should be, a line each."""
    marks = {}
    for path in (out / "marks").glob("*.json"):
        mark = json.loads(path.read_text(encoding="utf-8"))
        marks[mark["submission"]] = mark
    found = []
    for row in rows:
        name = row["student"]
        if name not in marks:
            found.append(f"{name} ({row['what']}): no marks")
            continue
        exercise = marks[name]["exercises"][0]
        got = {criterion: points["points"] for criterion, points in exercise["criteria"].items()}
        want = {criterion: row[criterion] for criterion in got}
        if got != want or exercise["state"] != row["state"]:
            found.append(f"{name} ({row['what']}): expected {row['state']}, {want}; marked {exercise['state']}, {got}")
    for name in marks.keys() - {row["student"] for row in rows}:
        found.append(f"{name}: marks, but no submission")
    if len({mark["seed"] for mark in marks.values()}) != 1:
        found.append("students of one class have had different seeds")
    return found


class Page(HTMLParser):
    """Words of a page, and what it asks for from elsewhere."""

    def __init__(self):
        super().__init__()
        self.text = ""
        self.elsewhere = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("src", "href") and value and not value.startswith(("#", "data:")):
                self.elsewhere.append(value)

    def handle_data(self, data):
        self.text += data


def faults_of_reports(rows, out):
    """What is wrong with the reports of the class, a line each."""
    faults = []
    with open(out / "class.csv", newline="", encoding="utf-8-sig") as file:
        table = list(csv.reader(file))
    if len(table) < 1 + len(rows):
        faults.append(f"class.csv has {len(table)} lines for {len(rows)} students")
    for cells in table:
        for cell in cells:
            if cell.startswith(("=", "+", "@")):
                faults.append(f"class.csv: a spreadsheet takes '{cell}' for a formula")
    totals = {cells[0].lstrip("'"): cells for cells in table[1:]}
    for row in rows:
        cells = totals.get(row["student"])
        if cells is None:
            faults.append(f"class.csv has no line for {row['student']}")
        elif str(row["total"]) not in cells:
            faults.append(f"class.csv: {row['student']} should have {row['total']} points: {cells}")
    page = Page()
    page.feed((out / "class.html").read_text(encoding="utf-8"))
    faults += [f"class.html asks for {place}" for place in page.elsewhere]
    faults += [f"class.html does not show {row['student']}" for row in rows if row["student"] not in page.text]
    ElementTree.parse(out / "class.junit.xml")
    return faults


def prove(options, folder):
    rows = make_class.make(options.build, options.exercise, folder, options.students)
    entries, out = folder / "submissions", folder / "marks of the class"
    print(f"{len(rows)} submissions made", flush=True)
    half = len(rows) // 2
    faults = []

    status, first, said = grade(options.build, options.exercise, entries, out, options.grade, until=half)
    before = finished(out)
    print(f"interrupted after {first:.0f} s with {len(before)} marks: exit status {status}", flush=True)
    if status == 2:
        print(said.strip(), file=sys.stderr)
        return 1
    if status == 0 or not half <= len(before) < len(rows):
        faults.append(f"it was to be interrupted halfway: {len(before)} of {len(rows)} marks, status {status}: {said}")
    status, second, said = grade(options.build, options.exercise, entries, out, options.grade)
    if status != 0:
        faults.append(f"the second call ended with exit status {status}: {said[-2000:]}")
    after = finished(out)
    again = [name for name, when in before.items() if after.get(name) != when]
    if again:
        faults.append(f"graded a second time: {', '.join(again)}")
    total = first + second
    print(f"the rest in {second:.0f} s; {len(again)} of those that were there were graded again", flush=True)

    status, third, said = grade(options.build, options.exercise, entries, out, options.grade)
    if status != 0 or finished(out) != after:
        faults.append(f"a third call had nothing to do, and yet: exit status {status}: {said[-2000:]}")
    print(f"nothing to do, in {third:.1f} s", flush=True)

    wrong = differences(rows, out)
    faults += wrong + faults_of_reports(rows, out)
    share = total / LIMIT * 100 * 100 / len(rows)
    print(f"{len(rows) - len(wrong)} of {len(rows)} marks as expected; {total:.0f} s in all, "
          f"{total / len(rows):.1f} s a submission: {share:.0f} % of the {LIMIT // 60} minutes that 100 may take",
          flush=True)
    for fault in faults:
        print(f"FAILED {fault}", flush=True)
    return 1 if faults or share > 100 else 0


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--exercise", default="01a")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--grade", action="append", default=[])
    options = parser.parse_args(words)
    if options.students < 12:
        parser.error("--students wants 12 or more, one of each kind")
    if not submissions.isolation_works(options.build):
        print(submissions.NOT_ISOLATED)
        return SKIPPED
    if options.keep:
        if options.keep.exists() and any(options.keep.iterdir()):
            parser.error(f"{options.keep} is there already")
        return prove(options, options.keep)
    with tempfile.TemporaryDirectory(prefix="course-class-") as folder:
        return prove(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
