#!/usr/bin/env python3
"""Compares what the emulator counts with what a GPU's own counters said, launch by launch.

    tools/compare_counters.py [--write] BUILD_FOLDER

BUILD_FOLDER is a build for the emulator. Every run of tools/counters/runs.txt is made there, and its
kernels are compared with docs/results/nvidia-h200/counters/launches/RUN.json, which
tools/counters/record.sh wrote on a GPU. Launches belong together whose kernel (with its template
arguments), grid and block are the same; of several such launches the first counts.

Counters of global memory must be equal, those of shared memory within 2 %. Where they need not be,
docs/results/nvidia-h200/counter_exceptions.json says so, with the reason: what the compiler, or the
hardware, does that the emulator does not. An exception that nothing needs is an error too, and so is a
kernel of the GPU's that the emulator did not run, or fewer than 40 micro-kernels.

The emulator's counts themselves are kept in docs/results/emulator/counters.json, from which
tools/page_tables.py makes the table of the page. They must be what was counted just now; --write puts
it there.
"""

import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GPU = "nvidia-h200"
MICRO_KERNELS = "micro_kernels"  # the program, and its run
FEWEST_MICRO_KERNELS = 40
LONGEST_RUN = 300  # seconds

COUNTERS = [
    "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
    "shared_load_instructions", "shared_load_wavefronts", "shared_load_bank_conflicts",
    "shared_store_instructions", "shared_store_wavefronts", "shared_store_bank_conflicts",
    "global_atomic_requests", "global_atomic_sectors", "shared_atomic_instructions",
]  # fmt: skip
TOLERANCE = {counter: 0.02 if counter.startswith("shared_") else 0.0 for counter in COUNTERS}


class BadInput(Exception):
    """A file or an argument that makes no sense."""


def comparable(instance):
    """A kernel's name with its template arguments; ncu writes 0 and 1 where g++ writes false and true."""
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


def launches_folder(root, gpu=GPU):
    return root / "docs" / "results" / gpu / "counters" / "launches"


def read_runs(root):
    """The runs of runs.txt, in order: {name: [program, option...]}."""
    path = root / "tools" / "counters" / "runs.txt"
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return {words[0]: words[1:] for words in lines if words and not words[0].startswith("#")}


def read_gpu(root, gpu=GPU):
    """What the GPU counted: {run: [launch...]}, for exactly the runs of runs.txt."""
    runs, counted = read_runs(root), {}
    for run, (program, *options) in runs.items():
        report = read_json(launches_folder(root, gpu) / f"{run}.json")
        if (report["program"], report["options"]) != (program, options):
            raise BadInput(f"{run}.json: recorded for {report['program']} {' '.join(report['options'])}, "
                           f"but runs.txt says {program} {' '.join(options)}")  # fmt: skip
        counted[run] = report["kernels"]
    for path in sorted(launches_folder(root, gpu).glob("*.json")):
        if path.stem not in runs:
            raise BadInput(f"{path.name}: runs.txt has no such run")
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


def compare(gpu, emulator):
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
        if run == MICRO_KERNELS:  # a chapter's program also launches kernels that nobody recorded
            errors += [f"{run}: {launch['instance']}: the GPU's file is older than this kernel"
                       for which, launch in ours.items() if which not in theirs]  # fmt: skip
    micro_kernels = sum(row.run == MICRO_KERNELS for row in rows)
    if micro_kernels < FEWEST_MICRO_KERNELS:
        errors.append(f"{micro_kernels} micro-kernels compared, want {FEWEST_MICRO_KERNELS} at least")
    return rows, errors


def read_exceptions(root, gpu=GPU):
    """The list of counter_exceptions.json: {"name", "reason", "kernels": {run: {kernel: [counter]}}}."""
    path = root / "docs" / "results" / gpu / "counter_exceptions.json"
    exceptions = read_json(path)
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
    errors, excepted = [], {}  # (run, kernel, counter): the exception that it stands in
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


# ---------------------------------------------------------------- the emulator's counts in the repository


def emulator_file(root):
    return root / "docs" / "results" / "emulator" / "counters.json"


def text_of(rows):
    """Those rows' counts as the file holds them: a line a launch."""
    runs = {}
    for row in rows:
        counts = [row.emulator[counter] for counter in COUNTERS]
        runs.setdefault(row.run, []).append(json.dumps([row.instance, row.grid, row.block, counts]))
    blocks = [f"  {json.dumps(run)}: [\n   " + ",\n   ".join(lines) + "\n  ]" for run, lines in runs.items()]
    return (
        '{\n "backend": "emulator",\n "launch": ["instance", "grid", "block", "counters"],\n'
        f' "counters": {json.dumps(COUNTERS)},\n "runs": {{\n' + ",\n".join(blocks) + "\n }\n}\n"
    )


def read_emulator(root):
    """What the emulator counted, from the file: {run: [launch...]}."""
    report = read_json(emulator_file(root))
    return {run: [{"instance": instance, "grid": grid, "block": block, **dict(zip(report["counters"], counts))}
                  for instance, grid, block, counts in launches]
            for run, launches in report["runs"].items()}  # fmt: skip


# ---------------------------------------------------------------- running it


def run_on_emulator(build, run, command, multiprocessors):
    """The launches of one run, as the emulator's report has them."""
    program, *options = command
    path = build / ("tools/counters" if program == MICRO_KERNELS else "chapters") / program
    if not os.access(path, os.X_OK):
        raise BadInput(f"{path} is no program")
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
            raise BadInput(f"{run}: {program} wrote no report: is {build} a build for the emulator?")
        return read_json(report)["kernels"]


def check(build, root=ROOT, write=False):
    """Runs and compares everything; returns errors and a line that sums it up."""
    multiprocessors = read_json(root / "docs" / "results" / f"{GPU}.json")["device"]["multiprocessors"]
    gpu, exceptions = read_gpu(root), read_exceptions(root)
    emulator = {run: run_on_emulator(build, run, command, multiprocessors) for run, command in read_runs(root).items()}
    rows, errors = compare(gpu, emulator)
    errors += judge(rows, exceptions)
    path, text = emulator_file(root), text_of(rows)
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    elif not path.is_file() or path.read_text(encoding="utf-8") != text:
        errors.append(f"{path.relative_to(root)} is not what was counted just now: see --write")
    excepted = sum(bool(row.reasons) for row in rows)
    return errors, (f"{len(rows)} launches in {len(gpu)} runs compared: {sum(row.equal for row in rows)} equal, "
                    f"{sum(not row.equal and not row.differing for row in rows)} within 2 %, "
                    f"{excepted} different for a known reason")  # fmt: skip


def main(arguments, root=ROOT):
    write = arguments[:1] == ["--write"]
    folders = arguments[write:]
    if len(folders) != 1 or folders[0].startswith("-"):
        print("usage: compare_counters.py [--write] BUILD_FOLDER", file=sys.stderr)
        return 2
    try:
        errors, summary = check(pathlib.Path(folders[0]), root, write)
    except BadInput as error:
        print(f"compare_counters: {error}", file=sys.stderr)
        return 2
    for error in errors:
        print(f"compare_counters: {error}", file=sys.stderr)
    print(summary)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
