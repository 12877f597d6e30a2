"""What a GPU sees of the wrong solutions of the exercises: tables.py puts it between

    <!-- exercises: nvidia-h200 -->
    <!-- end of exercises -->

from docs/results/nvidia-h200/exercises.txt, which is what `prove_exercise` printed on that GPU for all exercises. Its
first line says where. On the emulator every wrong solution is caught by the check that it names, or a test fails, so
that has no column. A wrong solution is NAME.cu there if it was still kept as a whole file at that time.
"""

import collections
import re

from places import RESULTS, ROOT

CATEGORIES = ("correct", "safe", "efficient")
VERDICTS = ("is caught", "passes here", "not checked")
WRONG = re.compile(r"^wrong/(\w+)\.\w+ +(is caught|passes here|not checked)", re.MULTILINE)


def category(exercise, name):
    """Of which kind the check is that a wrong solution names."""
    [folder] = ROOT.glob(f"solutions/{exercise}_*")
    first = (folder / "wrong" / f"{name}.patch").read_text(encoding="utf-8").split("\n", 1)[0]
    return first.removeprefix("caught by: ").split(":")[0]


def read(text):
    """For each category how often each verdict came."""
    counts = {kind: collections.Counter() for kind in CATEGORIES}
    for part in re.split(r"^variant of ", text, flags=re.MULTILINE)[1:]:
        exercise = part.split()[0]
        for name, verdict in WRONG.findall(part):
            counts[category(exercise, name)][verdict] += 1
    return counts


def block(name):
    """What belongs between the two comments."""
    text = (RESULTS / name / "exercises.txt").read_text(encoding="utf-8")
    counts = read(text)
    device = text.split("\n", 1)[0]
    lines = [
        f"{device}: the wrong solutions by the kind of the check that must catch them",
        "",
        "| check | wrong solutions | caught there | not seen there | skipped there |",
        "|---|---:|---:|---:|---:|",
    ]
    total = collections.Counter()
    for kind in (*CATEGORIES, "all"):
        one = total if kind == "all" else counts[kind]
        total += one if kind != "all" else collections.Counter()
        cells = [sum(one.values()), *(one[verdict] for verdict in VERDICTS)]
        lines.append(f"| {kind} | " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"
