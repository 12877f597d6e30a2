"""Compares what pages show of ./course with what it prints, times aside.

    python3 tools/pages transcripts < output of ./course tour on the emulator
    python3 tools/pages transcripts --run ./course --backend emulator

The first form reads the end of the tour, which docs/getting-started.md shows in full. The second one runs the commands
of the other transcripts there by the words after --run. A transcript
is a block that begins with `$ ./course ...`. Lines of dots stand for lines that are left out, dots in a line for
whatever is there; lines that only tell what is being done are not compared, nor is ./course doctor, which depends on
the machine. The exercises have to be as they are handed out, and no hint taken.

Exit status 0: all as shown; 1: not; 2: the command line, or a page or an output without what is to be compared.
"""

import difflib
import re
import subprocess
import sys

from places import ROOT

PAGE = ROOT / "docs" / "getting-started.md"
BLOCK = re.compile(r"^```\n\$ \./course ([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DOTS = "…"
OF_THE_MACHINE = "doctor"
# Whether these lines come, and how often, depends on how fast the machine is: "building 00 [3/5] 20 s, compiling a.cpp".
PROGRESS = re.compile(r"^(?:course: .*|(?:building|compiling|checking|running) \S+"
                      r"(?: \[\d+/\d+\](?: (?:compiling|linking) [^\n]*)?)?(?: (?:\d+ min )?\d+ s(?:, [^\n]*)?)?)\n",
                      re.MULTILINE)  # fmt: skip


class BadInput(Exception):
    """Nothing can be compared, with one line that says why."""


def masked(text):
    """The lines of a text, with times masked."""
    text = re.sub(r"skipped, in .*? s\.", "skipped, in TIME.", text)
    # A time is the last column of a row, or the last but one: a number with three decimals.
    return re.sub(r" +\d+\.\d{3}( +\S+)?$", r" TIME\1", text, flags=re.MULTILINE).splitlines()


def ladder(text, where):
    """The lines from the ladder's title to the closing line."""
    found = re.search(r"^The ladder on the emulator.*?^Chapters: [^\n]*$", text, re.DOTALL | re.MULTILINE)
    if not found:
        raise BadInput(f"no ladder in {where}")
    return masked(found.group(0))


def transcripts(text):
    """The transcripts of a page: [(command, what is shown of its output)]."""
    return BLOCK.findall(text)


def same(shown, printed):
    """Whether a line is as shown; dots stand for anything."""
    return re.fullmatch(".*".join(map(re.escape, shown.split(DOTS))), printed) is not None


def missing(shown, printed):
    """The first piece between two lines of dots that is not in the output where it should be; None if all are."""
    said, lines = masked(shown), masked(printed)
    at = 0
    pieces, anchored = [[]], [True]  # anchored: no dots before it
    for line in said:
        if line == DOTS:
            pieces.append([])
            anchored.append(False)
        else:
            pieces[-1].append(line)
    for number, (piece, here) in enumerate(zip(pieces, anchored)):
        if not piece:
            continue
        last = number == len(pieces) - 1
        places = [at] if here else range(at, len(lines) - len(piece) + 1)
        if last:  # no dots after it: the output ends here
            places = [place for place in places if place == len(lines) - len(piece)]
        for place in places:
            found = lines[place:place + len(piece)]
            if len(found) == len(piece) and all(map(same, piece, found)):
                at = place + len(piece)
                break
        else:
            return "\n".join(piece)
    return None


def without_progress(output):
    """An output without the lines that only tell what is being done."""
    return PROGRESS.sub("", output)


def check_tour(output):
    """What is wrong with what is shown of the tour: texts."""
    text = PAGE.read_text()
    said, printed = ladder(text, PAGE.name), ladder(output, "the output")
    wrong = ["\n".join(difflib.unified_diff(said, printed, PAGE.name, "./course tour", lineterm=""))]
    shown = [text for command, text in transcripts(text) if command == "tour"]
    if not shown:
        raise BadInput(f"no transcript of the tour in {PAGE.relative_to(ROOT)}")
    return wrong + [report("tour", missing(text, output)) for text in shown]


def check_commands(course):
    """Runs the commands of the other transcripts; what is wrong with what is shown of them."""
    wrong = []
    for command, shown in transcripts(PAGE.read_text()):
        if command.split()[0] in ("tour", OF_THE_MACHINE):
            continue
        print(f"{' '.join(course)} {command}", flush=True)
        run = subprocess.run([*course, *command.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
        piece = missing(without_progress(shown), without_progress(run.stdout))
        wrong.append(report(command, piece and f"{piece}\nIt prints:\n{run.stdout}"))
    if not wrong:
        raise BadInput(f"no transcript to run in {PAGE.relative_to(ROOT)}")
    return wrong


def report(command, piece):
    return piece and f"{PAGE.relative_to(ROOT)}: ./course {command} does not print this (any more):\n{piece}"


def main(arguments):
    try:
        if not arguments:
            wrong = check_tour(sys.stdin.read())
        elif arguments[0] == "--run" and len(arguments) > 1:
            wrong = check_commands(arguments[1:])
        else:
            raise BadInput("want nothing, or --run and the command (see its first lines)")
    except (BadInput, OSError) as error:
        print(f"transcripts: {error}", file=sys.stderr)
        return 2
    found = [text for text in wrong if text]
    print("\n".join(found) or f"{len(wrong)} transcripts compared: as printed")
    return 1 if found else 0
