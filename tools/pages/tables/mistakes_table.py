"""What became of Hopper's mistakes on a GPU, beside what the emulator says of them: tables.py puts it between

    <!-- mistakes: nvidia-h200 -->
    <!-- end of mistakes -->

The name is a folder under docs/results/, whose hopper_mistakes.txt emulator/evidence/corpus/hopper.sh wrote on that GPU.
What the emulator says is in emulator/corpus.json, and what is wrong with a program in its first lines, where the files
of emulator/evidence/corpus/hopper say it.
"""

import collections
import re
import sys

from places import RESULTS
from sanitizer_table import CORPUS, PROGRAMS, emulator_found, read

import corpus_test  # isort: skip (places says where it is)

LINE = re.compile(r"(\w+): (\w+): (?:(right)|(wrong), \d+ of \d+ elements|(timed out)|(error), (.+)|ptxas adds ([\w.]+))")
# In the order of the table: how a program ended, in the first table and in the second.
ENDS = {"right": ("the right result", "right"), "wrong": ("a wrong result", "wrong"), "error": ("an error", "error"),
        "timed out": ("no end", "hangs")}  # fmt: skip
NO_PROSE = re.compile(r"// (bug|where|mend|not|no|severity): |// correct$")
CODE = re.compile(r"[\w.]*\w\(\)|\b\w+_\w+|\bwgmma(?:\.\w+)?")


def outcomes(text):
    """The first line; {name: (end, its error)}; {name: what ptxas adds}; from what hopper.sh wrote."""
    about, *lines = text.splitlines()
    ends, added = {}, {}
    for line in lines:
        if not (match := LINE.fullmatch(line)):
            raise ValueError(f"no such line: {line}")
        name = f"hopper/{match[1]}:{match[2]}"
        if match[8]:
            added[name] = match[8]
        else:
            ends[name] = (match[3] or match[4] or match[5] or match[6], match[7])
    return about, ends, added


def sentence(text):
    """What is wrong with a program: the comment under its name."""
    words = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if not NO_PROSE.match(line):
            words.append(line[3:])
    return CODE.sub(lambda code: f"`{code[0]}`", " ".join(words)).replace("|", "\\|").rstrip(".")


def sentences(folder):
    """{name: the sentence} of the programs of a folder."""
    sources = sorted(folder.glob("*.cu"))
    return {program.name: sentence(program.text) for source in sources for program in corpus_test.programs_of(source)}


def listed(words):
    """`race (5), leak (1)`, what is most frequent first."""
    return ", ".join(f"{word} ({count})" for word, count in words.most_common())


def summary(bugs, ends):
    """How the mistakes ended."""
    yield "| on the GPU | mistakes | what the emulator calls them |"
    yield "|---|---:|---|"
    for end, (text, _) in ENDS.items():
        ended = [program["bug"] for name, program in bugs.items() if name in ends and ends[name][0] == end]
        kinds = collections.Counter(ended)
        if kinds:
            yield f"| {text} | {len(ended)} | {listed(kinds)} |"
    yield f"| **all** | **{sum(name in ends for name in bugs)}** | |"


def below(about, programs, ends):
    """What the summary leaves out."""
    correct = [name for name, program in programs.items() if program["bug"] is None and name in ends]
    right = sum(ends[name][0] == "right" for name in correct)
    yield f"{about}. Of {len(correct)} programs without a mistake {right} gave the right result."
    errors = collections.Counter(re.sub(r"^an? | was encountered$", "", words) for name, (end, words) in ends.items()
                                 if programs[name]["bug"] and end == "error")  # fmt: skip
    if errors:
        yield f"The errors: {listed(errors)}."
    if left := sum(name not in ends for name in programs):
        yield f"{left} of the programs were not run there."


def each(file, bugs, ends, added, wrong):
    """The table of one file's mistakes."""
    yield f"| [{file}]({PROGRAMS}/hopper/{file}.cu): what is wrong | emulator | GPU |"
    yield "|---|---|---|"
    for name, program in bugs.items():
        said = "**not found**"
        if emulator_found(program):
            line = next(found["line"] for found in program["findings"] if found["kind"] == program["bug"])
            said = f"[{program['bug']}]({PROGRAMS}/hopper/{file}.cu#L{line})"
        end = ENDS[ends[name][0]][1] if name in ends else "not run"
        yield f"| {wrong[name]} | {said} | {end}{', mended' if name in added else ''} |"


def block(name, results=RESULTS, folder=CORPUS / "hopper"):
    """What belongs between the two comments."""
    corpus = read(results / "emulator" / "corpus.json")
    try:
        about, ends, added = outcomes((results / name / "hopper_mistakes.txt").read_text(encoding="utf-8"))
        programs = {key: entry for key, entry in corpus["programs"].items() if key.startswith("hopper/")}
        if gone := (ends.keys() | added.keys()) - programs.keys():
            raise ValueError(f"no such programs: {', '.join(sorted(gone))}")
        bugs = {key: entry for key, entry in programs.items() if entry["bug"]}
        wrong = sentences(folder)
        lines = [*summary(bugs, ends), "", *below(about, programs, ends), "",
                 f"<details><summary>All {len(bugs)} mistakes</summary>", ""]  # fmt: skip
        for file in dict.fromkeys(re.split("[/:]", key)[1] for key in bugs):
            here = {key: entry for key, entry in bugs.items() if key.startswith(f"hopper/{file}:")}
            lines += [*each(file, here, ends, added, wrong), ""]
        if added:
            kinds = " or ".join(f"`{word}`" for word in sorted(set(added.values())))
            lines += [f"*mended*: ptxas says that it has added a {kinds}.", ""]
    except (OSError, KeyError, TypeError, AttributeError, ValueError) as error:
        sys.exit(f"tables: {name}/hopper_mistakes.txt, emulator/corpus.json: {error!r}")
    return "\n".join([*lines, "</details>"]) + "\n"
