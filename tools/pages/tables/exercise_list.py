"""The exercises by chapter: tables.py puts the table between

    <!-- list: exercises -->
    <!-- end of list -->

from exercises/CMakeLists.txt, by which they enter the build, and the first lines of chapters and handouts.
"""

import re

from places import ROOT

LINE = re.compile(r"course_add_exercise\(\s*(?P<name>\d\d[a-z]_\w+)[^()]*?\bKIND (?P<kind>build|mend|explain|speed|review)"
                  r" POINTS (?P<points>\d+)")
COLUMNS = ("build", "mend")
# What has no column of its own, and how it is called there.
OTHERS = {"explain": "to explain", "speed": "to speed up", "review": "to review"}


def title(page):
    return re.match(r"# (.+)", page.read_text(encoding="utf-8"))[1]


def entry(one, root):
    name, kind = one["name"], one["kind"]
    what = title(root / "exercises" / name / "README.md").split(": ", 1)[1]
    return f"[{name[:3]}]({name}/README.md){', ' + OTHERS[kind] if kind in OTHERS else ''}: {what}"


def block(name, root=ROOT):
    """What belongs between the two comments."""
    if name != "exercises":
        raise SystemExit(f"tables: no list of {name}")
    text = "\n" + (root / "exercises" / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = [match.groupdict() for match in LINE.finditer(text)]
    if len(listed) != text.count("\ncourse_add_exercise("):
        raise SystemExit("tables: exercises/CMakeLists.txt has a line of another form")
    lines = ["| chapter | to build | to mend | other |", "|---|---|---|---|"]
    for number in sorted({one["name"][:2] for one in listed}):
        [page] = root.glob(f"chapters/{number}_*/README.md")
        cells = [f"[{re.split('[:,]', title(page))[0]}](../{page.relative_to(root)})"]
        here = [one for one in listed if one["name"].startswith(number)]
        for kinds in (*((kind,) for kind in COLUMNS), OTHERS):
            cells.append("; ".join(entry(one, root) for one in here if one["kind"] in kinds))
        lines.append("| " + " | ".join(cells) + " |")
    worth = sorted({one["points"] for one in listed}, key=int)
    return "\n".join([*lines, "", f"{len(listed)} exercises, each worth {' or '.join(worth)} points."]) + "\n"
