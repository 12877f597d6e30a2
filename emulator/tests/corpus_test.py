#!/usr/bin/env python3
"""Runs the programs of bugs/ and correct/ with the emulator's checks on.

    corpus_test.py [--some] [--kept FILE] [--write FILE] [--found] BUILD_FOLDER [NAME...]

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
BUILD_FOLDER is a build for the emulator; the programs are compiled there, in corpus/, if they are not
yet. With names only those programs run; with --some every third.

What was found in each program is left in corpus/found.json, too. A file of the same form may be kept elsewhere:

    --kept FILE     what was found in the programs that ran must be what this file says
    --write FILE    what was found becomes this file, if all programs ran
    --found         nothing runs: what the last run has left is compared with --kept, or written
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
SHOWN = {"bugs/race_third_round", "bugs/race_volatile_warp"}  # what is printed about these is kept too, as an example
LONGEST_RUN = 60  # seconds


def header(text, key):
    """The values of the lines `// key: value` at the top of a program."""
    values = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if line.startswith(f"// {key}: "):
            values.append(line[len(f"// {key}: ") :])
    return values


def line_of(text, where):
    """The number of the one line of code that holds the text."""
    found = [i for i, line in enumerate(text.splitlines(), 1) if where in line and not line.startswith("//")]
    if len(found) != 1:
        raise ValueError(f"'{where}' stands in {len(found)} lines")
    return found[0]


def build(source, folder, libraries, compiler):
    """Compiles one program; returns its path, and what the compiler said if it failed."""
    program = folder / f"{source.parent.name}_{source.stem}"
    compiled = program.with_suffix(".o")
    steps = [
        (compiled, [source, compiler, *INCLUDE.rglob("*.h")],
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


def run(program):
    """Exit status, findings and stderr of one run."""
    report = program.with_suffix(".json")
    environment = os.environ | {"EMULATOR_CHECK": "1", "EMULATOR_REPORT": str(report)}
    try:
        # In this folder, so that the names of the programs in what is printed are short.
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=LONGEST_RUN, cwd=HERE)
    except subprocess.TimeoutExpired:
        return None, [], f"did not end within {LONGEST_RUN} seconds"
    return done.returncode, json.loads(report.read_text())["findings"], done.stderr


def errors_of_bug(text, status, findings):
    kind, lines = header(text, "bug")[0], {line_of(text, where) for where in header(text, "where")}
    errors = [f for f in findings if f["severity"] == "error"]
    alike = [f for f in errors if f["kind"] == kind]
    if not alike:
        yield f"no error of kind {kind}; found: {[(f['kind'], f['line']) for f in findings]}"
    elif not any(lines & {place["line"] for place in (f, *f["others"])} for f in alike):
        yield f"{kind} in lines {[f['line'] for f in alike]}, want {sorted(lines)}"
    if errors and errors[0]["kind"] not in header(text, "bug"):
        yield f"the first error is {errors[0]['kind']} in line {errors[0]['line']}, and not the {kind}"
    yield from (f"{f['kind']} in line {f['line']}" for f in findings if f["kind"] in header(text, "no"))
    for key, wanted in (("mend", True), ("not", False)):
        for word in header(text, key):
            if errors and (word in errors[0]["remedy"]) != wanted:
                yield f"the first error's remedy {'lacks' if wanted else 'has'} '{word}': {errors[0]['remedy']}"
    if status != 3:
        yield f"exit status {status}, want 3"


def errors_of_correct(_, status, findings):
    yield from (f"{f['kind']} in line {f['line']}: {f['what']}" for f in findings if f["severity"] == "error")
    if status != 0:
        yield f"exit status {status}, want 0"


def name_of(source):
    return f"{source.parent.name}/{source.stem}"


def kept_form(source, text, findings, printed):
    """What is kept of one program's run."""
    kinds = header(text, "bug")
    entry = {
        "bug": kinds[0] if kinds else None,
        "where": sorted(line_of(text, where) for where in header(text, "where")),
        "findings": [{key: finding[key] for key in ("severity", "kind", "line")} for finding in findings],
    }
    return entry | ({"printed": printed.splitlines()} if name_of(source) in SHOWN else {})


def judge(source, folder, libraries, compiler):
    """Errors of one program, what it printed, and what is kept of that."""
    text = source.read_text(encoding="utf-8")
    program, message = build(source, folder, libraries, compiler)
    if message:
        return [f"does not compile: {message[:500]}"], "", None
    status, findings, printed = run(program)
    errors = errors_of_bug if source.parent.name == "bugs" else errors_of_correct
    return list(errors(text, status, findings)), printed, kept_form(source, text, findings, printed)


class BadInput(Exception):
    """A file that makes no sense."""


def all_sources():
    return sorted(HERE.glob("bugs/*.cu")) + sorted(HERE.glob("correct/*.cu"))


def read_found(path):
    """What was found in each program, from a file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["programs"]
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: {error!r}") from None


def write_found(path, found):
    lines = [f"  {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in found.items()]
    path.write_text('{"programs": {\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def errors_of_kept(found, kept):
    """Where what is kept says something else than was found, or of a program that there is not."""
    yield from (f"{name}: {found[name]}, kept is {kept.get(name)}" for name in found if found[name] != kept.get(name))
    there = {name_of(source) for source in all_sources()}
    yield from (f"{name}: kept, but there is no such program" for name in kept if name not in there)


def run_all(top, sources, is_chatty):
    """Runs the programs; what was found in each, and how many are not as they should be."""
    # CMake has left what a program is linked with.
    libraries = (top / "emulator" / "corpus_libraries.txt").read_text().split()
    compiler = top / "emulator" / "emulator-compile"
    folder = top / "corpus"
    folder.mkdir(exist_ok=True)
    failed, found = 0, {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = pool.map(lambda source: judge(source, folder, libraries, compiler), sources)
        for source, (errors, printed, kept) in zip(sources, results):
            found[name_of(source)] = kept
            if errors or is_chatty:
                print(f"{source.parent.name}/{source.name}: {'; '.join(errors) or 'as it should be'}")
                print("  " + printed.replace("\n", "\n  ").rstrip())
            failed += bool(errors)
    bugs = sum(source.parent.name == "bugs" for source in sources)
    print(f"{bugs} programs with a bug, {len(sources) - bugs} without: {failed} not as they should be")
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
        if failed or not sources:
            return 1
    if options.write:
        if found.keys() != {name_of(source) for source in all_sources()}:
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
