#!/usr/bin/env python3
"""Compares what the emulator counts with what a GPU's own counters said, launch by launch.

    emulator/evidence/counters/compare_counters.py --runs FILE [--runs FILE ...] --recorded FOLDER --counts FILE
                                          --multiprocessors N [--exceptions FILE] [--at-least N] [--no-others] [--write]
                                          PROGRAMS [PROGRAMS ...]

Each run of a file of --runs (runs.txt says how it is written) is made by its program, which is in one of the
folders PROGRAMS, built for the emulator; its kernels are compared with those of RUN.json in the folder of --recorded,
which record.sh wrote on a GPU. Launches belong together whose kernel (with its template arguments), grid and block are
the same; of several such launches the first counts.

Counters of global memory must be equal, those of shared memory within 2 %. Where they need not be, the file of
--exceptions says so, with the reason: what the compiler, or the hardware, does that the emulator does not. An exception
that nothing needs is an error too, and so is a kernel of the GPU's that the emulator did not run.

    --counts FILE          keeps what the emulator itself counted, and must be what was counted just now
    --write                puts it there
    --multiprocessors N    of the GPU: EMULATOR_MULTIPROCESSORS of the runs
    --at-least N           N launches must be compared; 1, if not given
    --no-others            a kernel that the emulator ran must be one of the GPU's
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import json_rows  # noqa: E402

LONGEST_RUN = 300  # seconds

COUNTERS = [
    "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
    "shared_load_instructions", "shared_load_wavefronts", "shared_load_bank_conflicts",
    "shared_store_instructions", "shared_store_wavefronts", "shared_store_bank_conflicts",
    "global_atomic_requests", "global_atomic_sectors",
    "shared_atomic_instructions", "shared_atomic_wavefronts", "shared_atomic_bank_conflicts",
]  # fmt: skip
TOLERANCE = {counter: 0.02 if counter.startswith("shared_") else 0.0 for counter in COUNTERS}


class BadInput(Exception):
    """A file or an argument that makes no sense."""


def comparable(instance):
    """A kernel's name with its template arguments; ncu writes 0 and 1 where g++ writes false and true, puts a space
    between two closing brackets, and gives a function's name where g++ also gives its type. Where g++ writes (Kind)2,
    which is an enumerator, ncu's file has 2."""
    instance = re.sub(r">\s+(?=>)", ">", instance)
    instance = re.sub(r"\([A-Za-z_][\w:]*\)(?=-?\d)", "", instance)
    instance = re.sub(r"&\((?:[\w ]+ )?(\w+(?:<[^()]*>)?)\([^()]*\)\)", r"&\1", instance)
    return re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", instance))


def key(launch):
    return comparable(launch["instance"]), tuple(launch["grid"]), tuple(launch["block"])


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{path}: no JSON: {error}") from None


class Files(NamedTuple):
    """What there is of some runs, besides the programs."""

    runs: list  # files that list them
    recorded: pathlib.Path  # the folder with a GPU's counters of each
    counts: pathlib.Path  # the emulator's
    exceptions: pathlib.Path | None = None  # may be with the counters, as `counts` may


def read_runs(files):
    """The runs in order: {name: [program, option...]}."""
    runs = {}
    for path in files.runs:
        try:
            lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}") from None
        for name, *command in (words for words in lines if words and not words[0].startswith("#")):
            if name in runs or not command:
                raise BadInput(f"{path}: {name} " + ("is there twice" if command else "has no program"))
            runs[name] = command
    return runs


def read_gpu(files):
    """What the GPU counted: {run: [launch...]}, for exactly the runs that there are."""
    runs, counted = read_runs(files), {}
    for run, (program, *options) in runs.items():
        report = read_json(files.recorded / f"{run}.json")
        if (report["program"], report["options"]) != (program, options):
            raise BadInput(f"{run}.json: recorded for {report['program']} {' '.join(report['options'])}, "
                           f"but the run is {program} {' '.join(options)}")  # fmt: skip
        counted[run] = report["kernels"]
    others = [path.resolve() for path in (files.counts, files.exceptions) if path]
    for path in sorted(files.recorded.glob("*.json")):
        if path.stem not in runs and path.resolve() not in others:
            raise BadInput(f"{path.name}: there is no such run")
    return counted


def first_of_each(launches):
    """The first launch of each kernel with each grid and block, by its key."""
    first = {}
    for launch in launches:
        first.setdefault(key(launch), launch)
    return first


# ---------------------------------------------------------------- comparison


class Row:
    """A launch on both sides. `differing` are the counters further apart than they may be."""

    def __init__(self, run, gpu, emulator):
        self.run, self.gpu, self.emulator = run, gpu, emulator
        self.instance, self.grid, self.block = emulator["instance"], emulator["grid"], emulator["block"]
        self.counters = [counter for counter in COUNTERS if counter in gpu]
        self.differing = [c for c in self.counters if abs(emulator[c] - gpu[c]) > TOLERANCE[c] * gpu[c]]
        self.equal = all(emulator[c] == gpu[c] for c in self.counters)
        self.reasons = []  # of the exceptions that hold for it

    def name(self):
        extents = " ".join("x".join(map(str, extent)) for extent in (self.grid, self.block))
        return f"{self.run}: {self.instance} {extents}"


def compare(gpu, emulator, no_others=False, at_least=1):
    """Rows of all launches that both have, and errors for the others. Both are {run: [launch...]}."""
    rows, errors = [], []
    for run, launches in gpu.items():
        ours = first_of_each(emulator.get(run, []))
        theirs = first_of_each(launches)
        for which, launch in theirs.items():
            if which in ours:
                rows.append(Row(run, launch, ours[which]))
            else:
                errors.append(f"{run}: {launch['instance']} {launch['grid']} {launch['block']}: "
                              "the GPU ran it, and the emulator did not")  # fmt: skip
        if no_others:
            errors += [f"{run}: {launch['instance']}: the GPU's file is older than this kernel"
                       for which, launch in ours.items() if which not in theirs]  # fmt: skip
    if len(rows) < at_least:
        errors.append(f"{len(rows)} launches compared, want {at_least} at least")
    return rows, errors


def read_exceptions(path):
    """The list of a file of exceptions: {"name", "reason", "kernels": {run: {kernel: [counter]}}}."""
    exceptions = read_json(path) if path else []
    for exception in exceptions:
        if not isinstance(exception, dict) or exception.keys() != {"name", "reason", "kernels"}:
            raise BadInput(f"{path.name}: want name, reason and kernels: {json.dumps(exception)[:80]}")
        for kernels in exception["kernels"].values():
            for kernel, counters in kernels.items():
                if not counters or not set(counters) <= set(COUNTERS):
                    raise BadInput(f"{path.name}: {kernel}: no such counters: {', '.join(counters)}")
    return exceptions


def judge(rows, exceptions):
    """Errors: differences without an exception, exceptions without a difference. Rows get their reasons."""
    errors, excepted = [], {}  # (run, kernel, counter): the exception that it is in
    for exception in exceptions:
        for pattern, kernels in exception["kernels"].items():
            runs = {row.run for row in rows if fnmatch.fnmatchcase(row.run, pattern)}
            if not runs:
                errors.append(f"exception '{exception['name']}': no run is called {pattern}")
            for place in [(run, kernel, counter) for run in runs for kernel in kernels for counter in kernels[kernel]]:
                if place in excepted:
                    errors.append(f"{place[0]}: {place[1]}: {place[2]} is excepted twice")
                excepted[place] = exception
    needed = set()
    for row in rows:
        for counter in row.differing:
            place = (row.run, row.instance, counter)
            if place not in excepted:
                errors.append(f"{row.name()}: {counter}: emulator {row.emulator[counter]}, GPU {row.gpu[counter]}")
                continue
            needed.add(place)
            if excepted[place] not in row.reasons:
                row.reasons.append(excepted[place])
    for run, kernel, counter in sorted(excepted.keys() - needed):
        errors.append(f"{run}: {kernel}: {counter} agrees: the exception is not needed any more")
    return errors


# ---------------------------------------------------------------- the file with the emulator's counts


def text_of(rows):
    """Those rows' counts as the file holds them: one line per launch."""
    runs = {}
    for row in rows:
        counts = [row.emulator[counter] for counter in COUNTERS]
        runs.setdefault(row.run, []).append([row.instance, row.grid, row.block, counts])
    return json_rows.text_of({"backend": "emulator", "launch": ["instance", "grid", "block", "counters"],
                              "counters": list(COUNTERS), "runs": runs})  # fmt: skip


def read_counts(path):
    """What the emulator counted, from the file: {run: [launch...]}."""
    report = read_json(path)
    return {run: [{"instance": instance, "grid": grid, "block": block, **dict(zip(report["counters"], counts))}
                  for instance, grid, block, counts in launches]
            for run, launches in report["runs"].items()}  # fmt: skip


# ---------------------------------------------------------------- running it


def find(program, folders):
    for folder in folders:
        if os.access(folder / program, os.X_OK):
            return folder / program
    raise BadInput(f"there is no program {program} in {', '.join(map(str, folders))}")


def run_on_emulator(run, command, folders, multiprocessors):
    """The launches of one run, as the emulator's report has them."""
    program, *options = command
    path = find(program, folders)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        environment = os.environ | {"EMULATOR_REPORT": str(report), "EMULATOR_MULTIPROCESSORS": str(multiprocessors)}
        try:
            done = subprocess.run([path, *options], env=environment, capture_output=True, text=True,
                                  timeout=LONGEST_RUN, stdin=subprocess.DEVNULL)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BadInput(f"{run}: {program} took more than {LONGEST_RUN} seconds") from None
        if done.returncode != 0:
            raise BadInput(f"{run}: {program} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        if not report.is_file():
            raise BadInput(f"{run}: {program} wrote no report: was it built for the emulator?")
        return read_json(report)["kernels"]


def check(files, options):
    """Runs and compares everything; returns errors and a line that sums it up."""
    gpu, exceptions = read_gpu(files), read_exceptions(files.exceptions)
    emulator = {run: run_on_emulator(run, command, options.programs, options.multiprocessors)
                for run, command in read_runs(files).items()}  # fmt: skip
    rows, errors = compare(gpu, emulator, options.no_others, options.at_least)
    errors += judge(rows, exceptions)
    text = text_of(rows)
    if options.write:
        files.counts.write_text(text, encoding="utf-8")
    elif not files.counts.is_file() or files.counts.read_text(encoding="utf-8") != text:
        errors.append(f"{files.counts} is not what was counted just now: see --write")
    excepted = sum(bool(row.reasons) for row in rows)
    return errors, (f"{len(rows)} launches in {len(gpu)} runs compared: {sum(row.equal for row in rows)} equal, "
                    f"{sum(not row.equal and not row.differing for row in rows)} within 2 %, "
                    f"{excepted} different for a known reason")  # fmt: skip


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)


def parsed(arguments):
    parser = Parser(prog="compare_counters", add_help=False, allow_abbrev=False)
    path = pathlib.Path
    parser.add_argument("--runs", type=path, action="append", required=True)
    parser.add_argument("--recorded", type=path, required=True)
    parser.add_argument("--counts", type=path, required=True)
    parser.add_argument("--multiprocessors", type=int, required=True)
    parser.add_argument("--exceptions", type=path)
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--no-others", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("programs", type=path, nargs="+")
    return parser.parse_args(arguments)


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    try:
        options = parsed(arguments)
        files = Files(options.runs, options.recorded, options.counts, options.exceptions)
        errors, summary = check(files, options)
    except (BadInput, OSError) as error:
        print(f"compare_counters: {error}", file=sys.stderr)
        return 2
    for error in errors:
        print(f"compare_counters: {error}", file=sys.stderr)
    print(summary)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
