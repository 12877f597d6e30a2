#!/usr/bin/env python3
"""Runs the programs of bugs/, correct/, order/, hopper/ and devices/ with the emulator's checks on.

    corpus_test.py [--some] [--kept FILE] [--write FILE] [--found] BUILD_FOLDER [NAME...]

bugs/ and correct/ have the same rooms, one a kind of mistake, so that a mistake and what looks like it are found
together; a program's name does not tell its room: it is bugs/NAME in all that is written.

Every program of bugs/ says in its first lines what is wrong with it and where:

    // bug: race
    // where: tile[t] = tile[t + 1]

There must be an error of that kind whose line, or one of whose other lines, holds that text; the first error must be
of that kind, as it is what a reader begins with; and the exit status must be 3. With

    // mend: atomicAdd
    // not: barrier

what the first error says about mending it must have the one word and must not have the other; with `// no: leak`
nothing of that kind may be found at all. If one mistake makes for errors of two kinds, there is a second line
`// bug:`. A program of correct/ must come to its end with status 0 and without an error.

A file of order/, hopper/ or devices/ holds several such programs. Each begins with a line `// case: NAME`, and runs
when it is called with that name; `// correct` is below if it has no mistake. With `// severity: warning` the
mistake is not an error, and the status is 0. One of order/ or devices/ runs in several orders of the streams' work, and
what is found must be the same in all of them; those of devices/ have two devices. Those of hopper/ also run on a GPU,
where each prints what became of its result.

BUILD_FOLDER is a build for the emulator; the programs are compiled there, in corpus/, if they are not
yet. With names only those programs run, or those files; with --some every third file.

What was found in each program is also left in corpus/found.json. A file of the same form may be kept elsewhere:

    --kept FILE     what was found in the programs that ran must be what this file says
    --write FILE    what was found becomes this file, if all programs ran
    --found         nothing runs: what the last run has left is compared with --kept, or written
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import json_rows  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
# What is printed about these is kept too, as an example.
SHOWN = {"bugs/mask_ended_neighbour", "bugs/race_chain_without_release", "bugs/race_third_round", "bugs/race_volatile_warp"}
LONGEST_RUN = 60  # seconds
ORDERS = ("issue", "late", "1", "2", "3")
FOLDERS = ("bugs", "correct", "order", "hopper", "devices")
DEVICES = {"devices": "2"}  # of the programs of a folder, if not one


class Program:
    """A program: a file of bugs/ or correct/, or a part of one of order/, hopper/ or devices/."""

    def __init__(self, source, text, first_line=1, case=None):
        self.source, self.text, self.first_line, self.case = source, text, first_line, case
        self.name = f"{folder_of(source)}/{source.stem}" + (f":{case}" if case else "")
        self.has_bug = bool(header(text, "bug"))
        self.severity = (header(text, "severity") or ["error"])[0]
        self.arguments = [case] if case else []
        self.orders = ORDERS if folder_of(source) in ("order", "devices") else ("issue",)
        self.devices = DEVICES.get(folder_of(source), "1")

    def line_of(self, where):
        """The number of the one line of code that holds the text."""
        lines = enumerate(self.text.splitlines(), self.first_line)
        found = [i for i, line in lines if where in line and not line.startswith("//")]
        if len(found) != 1:
            raise ValueError(f"{self.name}: '{where}' stands in {len(found)} lines")
        return found[0]

    def wanted_lines(self):
        return {self.line_of(where) for where in header(self.text, "where")}


def folder_of(source):
    """Which of FOLDERS a file is in, whatever its room."""
    return next(parent.name for parent in source.parents if parent.name in FOLDERS)


def programs_of(source):
    text = source.read_text(encoding="utf-8")
    pieces = re.split(r"^// case: (\w+)\n", text, flags=re.MULTILINE)
    if len(pieces) == 1:
        return [Program(source, text)]
    programs, line = [], pieces[0].count("\n") + 1
    for case, piece in zip(pieces[1::2], pieces[2::2]):
        line += 1
        programs.append(Program(source, piece, line, case))
        line += piece.count("\n")
    return programs


def header(text, key):
    """The values of the lines `// key: value` at the top of a program."""
    values = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if line.startswith(f"// {key}: "):
            values.append(line[len(f"// {key}: ") :])
    return values


def build(source, folder, libraries, compiler):
    """Compiles one program; returns its path, and what the compiler said if it failed."""
    program = folder / f"{folder_of(source)}_{source.stem}"
    compiled = program.with_suffix(".o")
    steps = [
        (compiled, [source, *source.parent.glob("fixture.*"), compiler, *INCLUDE.rglob("*.h")],
         [compiler, "g++", "-std=c++20", f"-I{INCLUDE}", "-Og", "-g", "-c", source, "-o", compiled]),
        (program, [compiled, *libraries],
         ["g++", compiled, "-o", program, *libraries]),
    ]  # fmt: skip
    for made, needed, command in steps:
        newest = max(os.stat(path).st_mtime for path in needed if not str(path).startswith("-"))
        if made.is_file() and made.stat().st_mtime > newest:
            continue
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return program, done.stderr
    return program, ""


def run(executable, arguments=(), order="issue", devices="1", longest=LONGEST_RUN):
    """Exit status, findings and stderr of one run."""
    report = executable.with_name("-".join([executable.name, *arguments, order]) + ".json")
    environment = os.environ | {"EMULATOR_CHECK": "1", "EMULATOR_ORDER": order, "EMULATOR_DEVICES": devices,
                                "EMULATOR_REPORT": str(report)}  # fmt: skip
    try:
        # In this folder, so that the names of the programs in what is printed are short.
        done = subprocess.run([executable, *arguments], env=environment, capture_output=True, text=True,
                              timeout=longest, cwd=HERE)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, [], f"did not end within {longest} seconds"
    return done.returncode, json.loads(report.read_text())["findings"], done.stderr


def errors_of_bug(program, status, findings):
    text, kind, lines = program.text, header(program.text, "bug")[0], program.wanted_lines()
    errors = [f for f in findings if f["severity"] == program.severity]
    alike = [f for f in errors if f["kind"] == kind]
    if not alike:
        yield f"no {program.severity} of kind {kind}; found: {[(f['kind'], f['line']) for f in findings]}"
    elif not any(lines & {place["line"] for place in (f, *f["others"])} for f in alike):
        yield f"{kind} in lines {[f['line'] for f in alike]}, want {sorted(lines)}"
    if errors and errors[0]["kind"] not in header(text, "bug"):
        yield f"the first error is {errors[0]['kind']} in line {errors[0]['line']}, and not the {kind}"
    yield from (f"{f['kind']} in line {f['line']}" for f in findings if f["kind"] in header(text, "no"))
    for key, wanted in (("mend", True), ("not", False)):
        for word in header(text, key):
            if errors and (word in errors[0]["remedy"]) != wanted:
                yield f"the first error's remedy {'lacks' if wanted else 'has'} '{word}': {errors[0]['remedy']}"
    if status != (want := 3 if program.severity == "error" else 0):
        yield f"exit status {status}, want {want}"


def errors_of_correct(program, status, findings):
    # Where nothing is wrong in any order, there is nothing to warn of either.
    bad = ("error", "warning") if program.case else ("error",)
    yield from (f"{f['kind']} in line {f['line']}: {f['what']}" for f in findings if f["severity"] in bad)
    if status != 0:
        yield f"exit status {status}, want 0"


def in_any_order(findings):
    """The findings as they must be in all orders of the streams' work."""
    places = [(f["severity"], f["kind"], f["line"], *(place["line"] for place in f["others"])) for f in findings]
    return sorted(set(places))


def kept_form(program, findings, printed):
    """What is kept of one program's run."""
    kinds = header(program.text, "bug")
    entry = {
        "bug": kinds[0] if kinds else None,
        "where": sorted(program.wanted_lines()),
        "findings": [{key: finding[key] for key in ("severity", "kind", "line")} for finding in findings],
    }
    return entry | ({"printed": printed.splitlines()} if program.name in SHOWN else {})


def judge(source, folder, libraries, compiler):
    """Of each program of a file: errors, what it printed, and what is kept of that."""
    executable, message = build(source, folder, libraries, compiler)
    for program in programs_of(source):
        if message:
            yield program, [f"does not compile: {message[:500]}"], "", None
            continue
        check = errors_of_bug if program.has_bug else errors_of_correct
        errors, first = [], None
        for order in program.orders:
            status, findings, printed = run(executable, program.arguments, order, program.devices)
            found = list(check(program, status, findings))
            if first is None:
                first, seen = findings, printed
            elif in_any_order(first) != in_any_order(findings):
                found.append(f"found {in_any_order(findings)}, and as issued {in_any_order(first)}")
            errors += [f"{order}: {error}" if program.case else error for error in found]
        # In the order in which they are found threads may differ; what is kept is in that of the lines.
        kept = sorted(first, key=lambda f: (f["line"], f["kind"])) if program.case else first
        yield program, errors, seen, kept_form(program, kept, seen)


class BadInput(Exception):
    """A file that makes no sense."""


def all_sources(top=HERE):
    """The files of all programs, by folder and name: the rooms do not count."""
    return [source for folder in FOLDERS
            for source in sorted((top / folder).rglob("*.cu"), key=lambda file: file.stem)]  # fmt: skip


def misplaced():
    """What is wrong with where the files are."""
    names = [(folder_of(source), source.stem) for source in all_sources()]
    yield from (f"{'/'.join(name)}: two files have this name" for name in sorted(set(names)) if names.count(name) > 1)
    bugs, correct = ({path.name for path in (HERE / folder).iterdir()} for folder in ("bugs", "correct"))
    yield from (f"{room}: a room of bugs/ or correct/ alone" for room in sorted(bugs ^ correct))


def read_found(path):
    """What was found in each program, from a file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["programs"]
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: {error!r}") from None


def write_found(path, found):
    path.write_text(json_rows.text_of({"programs": found}), encoding="utf-8")


def errors_of_kept(found, kept):
    """Where what is kept says something else than was found, or of a program that there is not."""
    yield from (f"{name}: {found[name]}, kept is {kept.get(name)}" for name in found if found[name] != kept.get(name))
    there = {program.name for source in all_sources() for program in programs_of(source)}
    yield from (f"{name}: kept, but there is no such program" for name in kept if name not in there)


def run_all(top, sources, is_chatty):
    """Runs the programs; what was found in each, and how many are not as they should be."""
    # CMake has left what a program is linked with.
    libraries = (top / "emulator" / "corpus_libraries.txt").read_text().split()
    compiler = top / "emulator" / "emulator-compile"
    folder = top / "corpus"
    folder.mkdir(exist_ok=True)
    failed, found, bugs = 0, {}, 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = pool.map(lambda source: list(judge(source, folder, libraries, compiler)), sources)
        for program, errors, printed, kept in (result for results_of_file in results for result in results_of_file):
            found[program.name] = kept
            bugs += program.has_bug
            if errors or is_chatty:
                print(f"{program.name}: {'; '.join(errors) or 'as it should be'}")
                print("  " + printed.replace("\n", "\n  ").rstrip())
            failed += bool(errors)
    print(f"{bugs} programs with a bug, {len(found) - bugs} without: {failed} not as they should be")
    return found, failed


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)


def parsed(arguments):
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--some", action="store_true")
    parser.add_argument("--kept", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--found", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    top = options.build.resolve()
    left = top / "corpus" / "found.json"
    if options.found:
        found = read_found(left)
    else:
        sources = [source for source in all_sources() if not options.names or source.stem in options.names]
        found, failed = run_all(top, sources[:: 3 if options.some else 1], bool(options.names))
        write_found(left, found)
        wrong = list(misplaced())
        for line in wrong:
            print(line)
        if failed or wrong or not sources:
            return 1
    if options.write:
        if found.keys() != {program.name for source in all_sources() for program in programs_of(source)}:
            raise BadInput("--write wants all programs to have run")
        write_found(options.write, found)
    if not options.kept:
        return 0
    different = list(errors_of_kept(found, read_found(options.kept)))
    print("\n".join([*different, f"{options.kept.name}: {len(different)} programs differ from what is kept there"]))
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BadInput, OSError) as error:
        print(f"corpus_test: {error}", file=sys.stderr)
        sys.exit(2)
