"""A class at work on a hub, and beside students who harm: tables.py puts it between

    <!-- hub: emulator/hub -->
    <!-- end of hub -->

from docs/results/emulator/hub.json, which jobs/hub/trial/class_trial.py --out wrote.
"""

import json
import sys

from places import RESULTS

LABELS = {"log in": "log in, until the server answers", "first cell": "the first cell: %course is loaded",
          "check, not solved": "check 01a as handed out", "check, solved": "check 01a, solved",
          "hand in": "hand in"}  # fmt: skip


def seconds(value):
    return f"{value:.1f} s"


def class_table(report):
    one = report["class"]
    lines = [f"| {one['students']} students, all at once | median | longest |", "|---|---:|---:|"]
    for step, label in LABELS.items():
        took = one["seconds"][step]
        lines.append(f"| {label} | {seconds(took['median'])} | {seconds(took['longest'])} |")
    below = (f"Memory of a student's processes: {one['memory MB, median']} MB (median); at most "
             f"{one['memory MB, most with files']:,} MB with the files that the kernel keeps. Disk: "
             f"{one['disk MB, median']} MB. {report['machine']}, a load of {one['load of the machine']:.0f}.")  # fmt: skip
    return lines + ["", below]


def hostile_table(report):
    one = report["hostile"]
    rows = [("a check, alone", seconds(one["check alone, s"])),
            ("a check, beside the four", seconds(one["check beside them, s"])),
            ("handing in, beside them", seconds(one["hand in, s"])),
            ("another student's log in, beside them", seconds(one["a later log in, s"])),
            ("tasks of the fork bomb", str(one["tasks of the bomb"])),
            ("memory of the greediest", f"{one['memory of the greediest, MB']:,} MB"),
            ("the machine's disk that all four took", f"{one['disk that they took, MB']:,} MB")]  # fmt: skip
    return ["| beside an endless loop, a fork bomb, a full disk and memory without end | |", "|---|---:|",
            *(f"| {label} | {value} |" for label, value in rows)]  # fmt: skip


def block(name, results=RESULTS):
    """What belongs between the two comments."""
    path = results / f"{name}.json"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        return "\n".join([*class_table(report), "", *hostile_table(report)]) + "\n"
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"tables: {path.name}: {error!r}")
