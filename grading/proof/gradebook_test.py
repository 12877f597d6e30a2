#!/usr/bin/env python3
"""Grades a small class with the roster, the deadlines and the marks by hand of docs/teaching/gradebook, twice, and
reads what is made for spreadsheets and gradebooks with another reader of CSV.

    gradebook_test.py BUILD

Canvas's table is held against what Canvas's importer asks of its first columns and rows; Moodle's against its pages on
grade import. Exit status 0: they are right; 1: not; 77: there is no git, or submissions cannot be isolated here.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import submissions

SKIPPED = 77
EXAMPLES = submissions.SOURCE / "docs" / "teaching" / "gradebook"


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    require(len({len(row) for row in rows}) == 1, f"{path.name} has rows of several lengths")
    require(len(set(rows[0])) == len(rows[0]), f"{path.name} has two columns of one name")
    for row in rows:
        for cell in row:
            require(not cell.lstrip().startswith(("=", "+", "-", "@")), f"{path.name}: {cell!r} is a formula")
    return rows


def commit(folder, time):
    """Commits all of a folder."""
    environment = dict(os.environ, GIT_COMMITTER_DATE=time, GIT_AUTHOR_DATE=time)
    for words in (["init", "--quiet"], ["add", "."],
                  ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "handed in"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True, env=environment)


def hand_in(exercise, folder, text, time):
    place = folder / "exercises" / exercise["name"]
    place.mkdir(parents=True)
    (place / exercise["file"]).write_text(text, encoding="utf-8")
    commit(folder, time)


def check_all(folder, build):
    exercises, _ = submissions.read_exercises(build)
    exercise = exercises["01a"]
    model = submissions.model_text(exercise)
    handed_in, marks = folder / "handed-in", folder / "handed-in-marks"
    hand_in(exercise, handed_in / "Berg, Anna", model, "2026-11-23T12:00:00Z")  # 3 days late, 2 of them grace days
    hand_in(exercise, handed_in / "1002", model, "2026-11-24T12:00:00Z")  # 4 days late, all of them grace days
    hand_in(exercise, handed_in / "=nobody", "int", "2026-11-20T12:00:00Z")
    (handed_in / "Cleo").mkdir()  # students who have nothing in it
    roster = folder / "roster.csv"
    roster.write_text((EXAMPLES / "roster.csv").read_text(encoding="utf-8") + "Dora,1004,,\n", encoding="utf-8")
    by_hand = marks / "manual.csv"
    marks.mkdir()
    command = submissions.grade_command(build, "01a", "--class", handed_in, "--roster", roster, "--deadlines",
                                        EXAMPLES / "deadlines.json")  # fmt: skip
    said = ""
    for manual in ("student,exercise,points,comment\n", (EXAMPLES / "manual.csv").read_text(encoding="utf-8")):
        by_hand.write_text(manual, encoding="utf-8")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        require(done.returncode == 0, f"exit status {done.returncode}:\n{done.stdout}")
        require(by_hand.read_text(encoding="utf-8") == manual, "grading has written to manual.csv")
        said += done.stdout
        rows = {row[0]: row for row in table(marks / "class.csv")[1:]}
        anna = rows["Berg, Anna"]
        require(anna[1] == "1001", f"Anna's id is {anna[1]}")
        with_hand = "9.5" in manual
        require(anna[2:4] == (["9.5", "0"] if with_hand else ["9", "1"]), f"Anna has {anna}")
        require("3 days late, 2 grace days: 10% off" in anna[6], f"nobody says that Anna is late: {anna[6]}")
        require(rows["1002"][2:4] == ["10", "0"], f"Ben has {rows['1002']}")
    require("4 of 4 are already marked" in said, f"graded again after a mark by hand:\n{said}")
    require("not in roster.csv" in said and "=nobody" in said, f"nobody names who is not in the roster:\n{said}")
    require("no submission" in said and "Dora (1004)" in said, f"nobody names who is missing:\n{said}")

    canvas = table(marks / "canvas.csv")
    require(canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "01a"], f"Canvas: {canvas[0]}")
    require("Points Possible" in canvas[1][0] and canvas[1][5] == "10", f"Canvas: {canvas[1]}")
    want = [["Ben Aydın", "", "1002", "ben@example.org", "", "10"], ["Berg, Anna", "", "1001", "anna.berg@example.org",
            "", "9.5"], ["Cleo", "", "1003", "", "", "0"]]  # fmt: skip
    require(sorted(canvas[2:]) == want, f"Canvas: {canvas[2:]}")
    moodle = table(marks / "moodle.csv")
    require(moodle[0] == ["ID number", "Email address", "Name", "01a", "01a feedback", "Total"], f"Moodle: {moodle[0]}")
    require([row[0] for row in moodle[1:]] == ["1002", "1001", "1003"], f"Moodle: {moodle[1:]}")
    require("marked by hand: 9.5: Explained it well" in moodle[2][4], f"Moodle: {moodle[2]}")

    # Whatever a student commits later changes what counts.
    place = handed_in / "1002" / "exercises" / exercise["name"] / exercise["file"]
    place.write_text(model + "\n", encoding="utf-8")
    commit(handed_in / "1002", "2026-11-30T12:00:00Z")  # 10 days late, 5 of them grace days
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = {row[0]: row for row in table(marks / "class.csv")[1:]}
    require(rows["1002"][2:4] == ["5", "5"], f"Ben has {rows['1002']}")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if not submissions.isolation_works(arguments[0]):
        print(submissions.NOT_ISOLATED)
        return SKIPPED
    if not shutil.which("git"):
        print("SKIPPED: git is not here (Debian: git)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="course-gradebook-") as folder:
        Path(folder).chmod(0o755)
        try:
            check_all(Path(folder).resolve(), arguments[0])
        except Failed as failed:
            print(f"FAILED: {failed}")
            return 1
    print("a class with a roster, deadlines and marks by hand: graded, and as spreadsheets and gradebooks want it")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
