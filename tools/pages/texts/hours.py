"""Estimates how long each chapter takes, and writes that into the table of README.md.

    python3 tools/pages hours            brings the table, and the sum below it, up to date
    python3 tools/pages hours --each     prints what each estimate is made of
    python3 tools/pages hours --check    changes nothing: the exit status is 1 if README.md says something else

Nobody was timed. A page takes a minute for 150 words of prose and one for 15 lines of its listings; an exercise takes
its handout's words at the same rate, a quarter of an hour to think, and three minutes for each line of code that the
model solution has in place of the stub's gaps. A chapter's sum is rounded to half an hour.
"""

import re
import sys

import prose
from places import ROOT

README = ROOT / "README.md"
WORDS, LISTED, THINKING, WRITING = 150, 15, 15, 3  # words and lines a minute; minutes an exercise, and a line
ROW = re.compile(r"^(\| (\d\d) \| \[[^\]]+\]\(chapters/(\w+)/README\.md\) \| .+ \|)[^|\n]*\|$", re.MULTILINE)
SUM = re.compile(r"\babout \d+ hours\b")
LISTING = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def lines_to_write(text):
    """How many lines of code a model solution has where the stub has a gap."""
    count, inside = 0, False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("//@"):
            inside = line.startswith("//@solution")
        elif inside and line and not line.startswith("//"):
            count += 1
    return count


def exercise_minutes(handout, solutions):
    lines = sum(map(lines_to_write, solutions))
    return prose.lengths(handout)["words of prose"] / WORDS + THINKING + WRITING * lines


def page_minutes(text):
    listed = sum(len(block.splitlines()) for block in LISTING.findall(text))
    return prose.lengths(text)["words of prose"] / WORDS + listed / LISTED


def read(path):
    return path.read_text(encoding="utf-8")


def minutes(chapter):
    """(for the page, for its exercises)"""
    exercises = [(read(folder / "README.md"), [read(file) for file in (ROOT / "solutions" / folder.name).iterdir()
                                               if file.is_file()])
                 for folder in sorted((ROOT / "exercises").glob(f"{chapter[:2]}[a-z]_*"))]  # fmt: skip
    return page_minutes(read(ROOT / "chapters" / chapter / "README.md")), sum(exercise_minutes(*one) for one in exercises)


def rounded(chapter):
    """Hours, in halves."""
    return max(1, round(sum(minutes(chapter)) / 30)) / 2


def updated(text):
    hours = {name: rounded(name) for _, _, name in ROW.findall(text)}
    if not hours or not SUM.search(text):
        sys.exit("hours: README.md has no table of chapters, or does not say 'about N hours'")
    text = ROW.sub(lambda row: f"{row[1]} {hours[row[3]]:g} h |", text)
    return SUM.sub(f"about {sum(hours.values()):.0f} hours", text)


def main(arguments):
    if arguments == ["--each"]:
        for chapter in sorted(path.parent.name for path in ROOT.glob("chapters/*/README.md")):
            page, exercises = minutes(chapter)
            print(f"{chapter}: page {page:.0f} min, exercises {exercises:.0f} min, {rounded(chapter):g} h")
        return 0
    if arguments not in ([], ["--check"]):
        sys.exit("hours: want nothing, --each or --check")
    text = README.read_text(encoding="utf-8")
    new = updated(text)
    if new == text:
        print("README.md: up to date")
        return 0
    print(f"README.md: {'not up to date' if arguments else 'updated'}")
    if not arguments:
        README.write_text(new, encoding="utf-8")
    return 1 if arguments else 0
