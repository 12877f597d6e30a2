"""Holds what docs/results/emulator has of the chapters' programs against what they count now.

The tables of the pages are made of these files. `python3 tools/pages questions BUILD_FOLDER` asks for it, since that has
the programs' runs anyway. Only runs without options are looked at: NN_name.json is of one.
"""

import json
import re

from places import RESULTS

FOLDER = RESULTS / "emulator"
COUNTED = re.compile(r"requests|sectors|instructions|wavefronts|conflicts|verified|^bytes$|^operations$")


def problems_of(name, kept, now):
    """Where the rows that a file has kept differ from those of a run, both by kernel."""
    if kept.keys() != now.keys():
        yield f"{name}: the kernels are {', '.join(now)}, kept are {', '.join(kept)}"
        return
    for kernel, row in kept.items():
        for key, value in row.items():
            if COUNTED.search(key) and value != now[kernel].get(key):
                yield f"{name}: {kernel}: {key} is {now[kernel].get(key)}, kept is {value}"


def problems(run, folder=FOLDER):
    """A line for each difference. `run` gives the rows of a program's run by kernel, or raises ValueError."""
    for path in sorted(folder.glob("[0-9][0-9]_*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        if report["chapter"] != path.stem:
            continue  # a run with options
        try:
            now = run(report["chapter"])
        except ValueError as error:
            if "exit status 77" in str(error):  # this machine lacks what the chapter needs, such as OpenCL
                continue
            yield f"{path.stem}: {error}"
            continue
        yield from problems_of(path.stem, {row["kernel"]: row for row in report["results"]}, now)
