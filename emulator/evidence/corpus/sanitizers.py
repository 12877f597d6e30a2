#!/usr/bin/env python3
"""Reads what emulator/evidence/corpus/sanitizers.sh had compute-sanitizer say: sanitizers.py BUILD_FOLDER OUT.json.

Writes for each program its exit status when run by itself, and for each tool
    exit      the exit status; 124 or 137: it ran out of time
    errors    the number of errors, null where the tool came to no end
    warnings  the number of racecheck's warnings, where there are any
    messages  the first lines of its messages, each once, without addresses
    lines     the lines of the program that the messages name
and prints a summary. In the file, "programs" maps bugs/NAME, correct/NAME and order/FILE:NAME to that.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import corpus_test  # noqa: E402
import json_rows  # noqa: E402

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# A message's first line; its further lines are indented.
FIRST_LINE = re.compile(r"^========= (\S.*)$")
NO_MESSAGE = re.compile(r"COMPUTE-SANITIZER$|(ERROR|LEAK|RACECHECK) SUMMARY:|Target application returned an error")
ERRORS = re.compile(r"^========= ERROR SUMMARY: (\d+) errors?\s*$", re.MULTILINE)
HAZARDS = re.compile(r"^========= RACECHECK SUMMARY: .*\((\d+) errors?, (\d+) warnings?\)", re.MULTILINE)
# What differs from run to run or from build to build: addresses, places in the machine code, counts.
NO_ADDRESSES = (
    (re.compile(r"\+0x[0-9a-f]+"), ""),
    (re.compile(r"0x[0-9a-f]+"), "0x..."),
    (re.compile(r"\s*\[\d+ hazards?\]"), ""),
    (re.compile(r"\bthread \(\d+,\d+,\d+\)"), "thread (...)"),
    (re.compile(r"\bblock \(\d+,\d+,\d+\)"), "block (...)"),
)


def read_output(text, source):
    """One run's findings, from the tool's output for the program of that file name."""
    errors = [int(count) for count in ERRORS.findall(text)]
    warnings = 0
    for found, warned in HAZARDS.findall(text):
        errors.append(int(found))
        warnings += int(warned)
    messages = set()
    for line in text.splitlines():
        match = FIRST_LINE.match(line)
        if match is None or NO_MESSAGE.match(match[1]):
            continue
        message = match[1].rstrip()
        for pattern, replacement in NO_ADDRESSES:
            message = pattern.sub(replacement, message)
        messages.add(message)
    named = re.findall(rf"^=========.*\b{re.escape(source)}:(\d+)", text, re.MULTILINE)
    findings = {
        "errors": sum(errors) if errors else None,
        "messages": sorted(messages),
        "lines": sorted({int(line) for line in named}),
    }
    if warnings:
        findings["warnings"] = warnings
    return findings


def read_program(of_corpus, build):
    """What became of one program of the corpus; its outputs are in the build folder."""
    program = {}
    run = build / of_corpus.name
    if of_corpus.has_bug:
        program["bug"] = corpus_test.header(of_corpus.text, "bug")[0]
        program["where"] = sorted(of_corpus.wanted_lines())
    for tool in ("plain",) + TOOLS:
        status = run.with_name(f"{run.name}.{tool}.status")
        if not status.exists():
            continue  # it did not compile, or there was no time left
        entry = {"exit": int(status.read_text())}
        if tool != "plain":
            text = run.with_name(f"{run.name}.{tool}.txt").read_text(errors="replace")
            entry |= read_output(text, of_corpus.source.name)
        program[tool] = entry
    return program


def found(program, tool):
    """Whether the tool has anything to say about the program."""
    run = program.get(tool, {})
    return bool(run.get("errors") or run.get("warnings"))


def summary(programs):
    """The lines to print: how many bugs of each kind each tool sees, then all that wants a look."""
    bugs = {name: program for name, program in programs.items() if "bug" in program}
    yield f"{'bug':18} {'programs':>9} " + " ".join(f"{tool:>9}" for tool in TOOLS) + f" {'any':>9}"
    for kind in sorted({program["bug"] for program in bugs.values()}):
        of_kind = [program for program in bugs.values() if program["bug"] == kind]
        counts = [sum(found(program, tool) for program in of_kind) for tool in TOOLS]
        counts.append(sum(any(found(program, tool) for tool in TOOLS) for program in of_kind))
        yield f"{kind:18} {len(of_kind):9} " + " ".join(f"{count:9}" for count in counts)
    for name, program in programs.items():
        missing = [tool for tool in ("plain",) + TOOLS if tool not in program]
        if missing:
            yield f"{name}: no run of {', '.join(missing)}"
        status = program.get("plain", {}).get("exit", 0)
        if status != 0 and name not in bugs:
            yield f"{name}: exit status {status}"
        if status in (124, 137):
            yield f"{name}: out of time"
        for tool in TOOLS:
            if tool in missing:
                continue
            if program[tool]["errors"] is None:
                yield f"{name}: {tool} came to no end, exit status {program[tool]['exit']}"
            elif name not in bugs and found(program, tool):
                yield f"{name}: {tool}: " + "; ".join(program[tool]["messages"])


def main():
    if len(sys.argv) != 3:
        print("usage: sanitizers.py BUILD_FOLDER OUT.json", file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1])
    about = build / "about.txt"
    if not about.exists():
        print(f"sanitizers.py: {build} holds no outputs of emulator/evidence/corpus/sanitizers.sh", file=sys.stderr)
        return 2
    programs = {}
    for source in corpus_test.all_sources():
        if (build / corpus_test.folder_of(source) / f"{source.stem}.nvcc.txt").exists():
            for program in corpus_test.programs_of(source):
                programs[program.name] = read_program(program, build)
    report = {"about": about.read_text().splitlines(), "programs": programs}
    pathlib.Path(sys.argv[2]).write_text(json_rows.text_of(report), encoding="utf-8")
    for line in summary(programs):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
