"""Holds the answers to the pages' questions against what was counted and measured.

    python3 tools/pages questions BUILD_FOLDER    the exit status is 1 if an answer or its form is wrong

BUILD_FOLDER is a build for the emulator. docs/site/README.md says how a question is in a page. Where its first line
says `from:`, the answer is recomputed:

    from: 01_global --rows 33: global, load sectors / 32              the program runs, on the emulator
    from: timeline 15_streams --only "depth first": work, steps       its timeline: the program runs on the emulator
    from: nvidia-h200#01_global@16384x16384: global, median ms * 2    a results file, as for a table
    from: nvidia-h200/timelines/15_depth_first: copy to device 1, took   what a GPU did, in microseconds: the first such piece
    from: nvidia-h200/a nvidia-h200/b: first, median ms / second, median ms    several; not for a name that two kernels have

What is read is a kernel's name, a comma and a column. +, -, * and / take what follows, a number, another kernel and
column, or a few of them in parentheses, one after the other from left to right. The answer must be that, rounded as it
is written, or as near as `within:` says.

The counts in docs/results/emulator, of which tables are made, are held against the same runs: see recorded_counts.py.

A figure in the text that no table shows is held in the same way, by a line before its paragraph:

    <!-- held: 373 ns; from: nvidia-h200/variants/coalesced_unroll_1: coalesced, unroll 1, median ms * 1,000,000 / 16,384 -->
"""

import functools
import json
import operator
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from places import RESULTS, ROOT, chapter_pages
import recorded_counts
import results_files
from timeline import Timeline  # (places says where it is)

FIRST_LINE = re.compile(r"<!-- question: (.+?) -->")
PARTS = re.compile(r"([0-9]{2}-[a-z0-9-]+)(?:; answer: ([\d,]*\d(?:\.\d+)?)(?: ([^;]+?))?(?:; within: ([\d.]+))?"
                   r"(?:; from: ([^;]+))?)?")
HELD = re.compile(r"^<!-- held: (.+?) -->$", re.MULTILINE)
HELD_PARTS = re.compile(r"([\d,]*\d(?:\.\d+)?)((?: [^;]+?)?)((?:; within: [\d.]+)?; from: [^;]+)")
QUESTION = re.compile(r"^<!-- question: (?P<parts>[^\n]+?) -->\n(?P<asked>.+?)\n\n<details>\n<summary>Answer</summary>\n\n"
                      r"(?P<answer>.+?)\n\n</details>\n<!-- end of question -->$", re.DOTALL | re.MULTILINE)
COLUMNS = {"load requests": "global_load_requests", "load sectors": "global_load_sectors",
           "store requests": "global_store_requests", "store sectors": "global_store_sectors",
           "conflicts": "shared_bank_conflicts", "cache conflicts": "cache_bank_conflicts",
           "median ms": "median_ms", "GB/s": "gb_per_s",
           "GFLOP/s": "gflop_per_s", "of ceiling": "percent_of_ceiling", "read from memory": "memory_bytes_read",
           "registers": "registers", "instructions": "instructions", "waits for registers": "register_waits",
           "latency ns": "memory_ns", "shared loads": "shared_load_instructions",
           "steps": "steps", "shared wavefronts": "shared_load_wavefronts", "store wavefronts": "shared_store_wavefronts",
           "took": "took", "begin": "begin", "end": "end"}  # fmt: skip
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def pieces_of(file):
    """What a GPU did in a recorded timeline: each piece of a kind, "copy to device 1" first, then all of the kind."""
    timeline, found = Timeline(RESULTS / f"{file}.json"), []
    for kind in sorted({item.category for item in timeline.work}):
        items = [item for item in timeline.work if item.category == kind]
        spans = [(f"{kind} {k}", [item]) for k, item in enumerate(items, 1)] + [(kind, items)]
        found += [{"kernel": name, "took": sum(item.end - item.begin for item in some), "begin": some[0].begin,
                   "end": max(item.end for item in some)} for name, some in spans]  # fmt: skip
    return found


def rows_of(file):
    """The kernels of a results file, of whichever kind."""
    if "/timelines/" in file:
        return pieces_of(file)
    if file.startswith("cpu/"):
        return results_files.load(file)["cpu"]["results"]
    if file.startswith("sm_"):  # what one pass of the innermost loop takes
        return [row | row["loop"] for row in results_files.load(file)["kernels"]]
    if "/launches/" in file:  # kernels by their templates' arguments
        return [row | {"kernel": row["instance"]} for row in results_files.load(file)["kernels"]]
    report = results_files.read(file)
    rows = [*report["results"]]
    if "#" in file:  # what ./course measure found out about the GPU itself
        rows += [{"kernel": "ceiling", **report["ceiling"]}, {"kernel": "memory", **(report["latency"] or {})}]
    return rows


def steps_of(path, options):
    """How long the work in all streams takes, from the first piece's begin to the last one's end."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "timeline.json"
        run = subprocess.run([path, *options], env=os.environ | {"EMULATOR_TIMELINE": str(file)}, capture_output=True,
                             text=True, timeout=300, check=False)  # fmt: skip
        if run.returncode != 0:
            raise ValueError(f"{path.name}: exit status {run.returncode}: {run.stderr.strip()[:300]}")
        work = Timeline(file).work
    return max(item.end for item in work) - min(item.begin for item in work)


@functools.cache
def rows(build, source):
    """The kernels of a run or of a results file, by name."""
    program, *options = shlex.split(source)
    if "#" in program or "/" in program:
        found = [row for file in (program, *options) for row in rows_of(file)]
        names = [row["kernel"] for row in found]
        return {name: row for name, row in zip(names, found) if names.count(name) == 1}
    is_timeline = program == "timeline"
    if is_timeline:
        program, *options = options
    path = build / "chapters" / program
    if not path.is_file():
        raise ValueError(f"no program {program}")
    if is_timeline:
        return {"work": {"steps": steps_of(path, options)}}
    # Two devices, as ./course run gives the chapters that use several; the others see the first one only.
    run = subprocess.run([path, *options, "--json", "/dev/stderr"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True, timeout=300, env={**os.environ, "EMULATOR_DEVICES": "2"})
    start = run.stderr.find("{")
    if run.returncode != 0 or start < 0:
        raise ValueError(f"{source}: exit status {run.returncode}: {run.stderr.strip()[:300]}")
    report, _ = json.JSONDecoder().raw_decode(run.stderr, start)
    return {row["kernel"]: row for row in report["results"]}


def term(found, text):
    """A number, or a kernel's column."""
    if re.fullmatch(r"[\d,]+(?:\.\d+)?(?:e-?\d+)?", text):
        return float(text.replace(",", ""))
    kernel, _, column = text.rpartition(", ")
    if kernel not in found or column not in COLUMNS:
        raise ValueError(f"no '{text}': there are {', '.join(found)}, each with {', '.join(COLUMNS)}")
    return float(found[kernel][COLUMNS[column]])


def value_of(found, text):
    """What an expression comes to; parentheses do not nest."""
    for inner in re.findall(r"(?:^| )\(([^()]+)\)(?= |$)", text):
        text = text.replace(f"({inner})", repr(value_of(found, inner)), 1)
    first, *rest = re.split(r" ([-+*/]) ", text)
    value = term(found, first)
    for sign, operand in zip(rest[::2], rest[1::2]):
        value = OPERATORS[sign](value, term(found, operand))
    return value


def worked_out(build, text):
    """What comes after `from:`."""
    source, _, expression = text.partition(": ")
    return value_of(rows(build, source), expression)


def problem_of(build, parts):
    """What is wrong with the first line of a question; None if nothing is."""
    match = PARTS.fullmatch(parts)
    if not match:
        return "the first line is not in the form of docs/site/README.md"
    _, answer, _, within, source = match.groups()
    if not source:
        return None
    said, decimals = float(answer.replace(",", "")), len(answer.partition(".")[2])
    try:
        value = worked_out(build, source)
    except (ValueError, subprocess.TimeoutExpired) as error:
        return str(error)
    near = float(within) if within else 0.5 * 10.0**-decimals + 1e-9 if decimals or value != int(value) else 0
    return None if abs(said - value) <= near else f"the answer is {answer}, but {source} is {value:,.6g}"


def problems_of_page(build, page, text, known):
    """What is wrong with the questions of a page."""
    said = []
    whole = [match["parts"] for match in QUESTION.finditer(text)]
    for parts in FIRST_LINE.findall(text):
        name = parts.partition(";")[0]
        if name in known:
            said.append(f"{page}: two questions are called {name}")
        known.add(name)
        wrong = problem_of(build, parts) if parts in whole else "it is not in the form of docs/site/README.md"
        if wrong:
            said.append(f"{page}: question {name}: {wrong}")
    return said


def problems_of_held(build, page, text):
    """What is wrong with the figures that are held: the text must have them, and they must be right."""
    said, shown = [], HELD.sub("", text)
    for parts in HELD.findall(text):
        match = HELD_PARTS.fullmatch(parts)
        if not match:
            said.append(f"{page}: held: {parts}: not in the form of tools/pages/texts/questions.py")
            continue
        figure = match[1] + match[2]
        if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\d)", re.sub(r"\s+", " ", shown)):
            said.append(f"{page}: held: {figure}: the page does not say so")
        wrong = problem_of(build, f"00-held; answer: {figure}{match[3]}")
        if wrong:
            said.append(f"{page}: held: {figure}: {wrong}")
    return said


def problems_of_chapter(page, text):
    """A chapter asks before it shows, and answers all that it asks."""
    said = []
    before, _, rest = text.partition("\n## Try it\n")
    asked = [match for match in QUESTION.finditer(before) if match["asked"].startswith("**Predict.**")]
    if not 2 <= len(asked) <= 4:
        said.append(f"{page}: {len(asked)} questions that begin with **Predict.**, not two to four")
    tasks = rest.partition("\n## ")[0]
    if re.search(r"^[-*] ", QUESTION.sub("", tasks), re.MULTILINE):
        said.append(f"{page}: a task of 'Try it' without an answer")
    numbers = [int(match[1]) for task in QUESTION.finditer(tasks) if (match := re.match(r"\*\*(\d+)\.\*\* ", task["asked"]))]
    if not numbers or numbers != list(range(1, 1 + len(list(QUESTION.finditer(tasks))))):
        said.append(f"{page}: the tasks of 'Try it' are not numbered from 1")
    return said


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit("questions: want BUILD_FOLDER")
    build, known, said = pathlib.Path(arguments[0]), set(), []
    for path in [*chapter_pages(), *sorted(ROOT.glob("docs/*.md"))]:
        page, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        said += problems_of_page(build, page, text, known) + problems_of_held(build, page, text)
        if page.startswith("chapters/") and page.endswith("/README.md"):
            said += problems_of_chapter(page, text)
    said += recorded_counts.problems(functools.partial(rows, build))
    print("\n".join([*said, f"{len(known)} questions, {len(said)} problems"]))
    return 1 if said or not known else 0
