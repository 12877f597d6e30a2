#!/usr/bin/env python3
"""Runs the programs of bugs/ and correct/ with the emulator's checks on.

    corpus_test.py BUILD_FOLDER [NAME...]

Every program of bugs/ says in its first lines what is wrong with it and where:

    // bug: race
    // where: tile[t] = tile[t + 1]

There must be an error of that kind whose line, or one of whose other lines, holds that text, and the
exit status must be 3. A program of correct/ must come to its end with status 0 and without an error.
BUILD_FOLDER is a build for the emulator; the programs are compiled there, in corpus/, if they are not
yet. With names only those programs run.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
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
         ["g++", compiled, "-o", program, *libraries, "-lboost_context", "-lbacktrace", "-ldl", "-lpthread"]),
    ]  # fmt: skip
    for made, needed, command in steps:
        if made.is_file() and made.stat().st_mtime > max(path.stat().st_mtime for path in needed):
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
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=LONGEST_RUN)
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
    if status != 3:
        yield f"exit status {status}, want 3"


def errors_of_correct(_, status, findings):
    yield from (f"{f['kind']} in line {f['line']}: {f['what']}" for f in findings if f["severity"] == "error")
    if status != 0:
        yield f"exit status {status}, want 0"


def judge(source, folder, libraries, compiler):
    """Errors of one program, and what it printed."""
    text = source.read_text(encoding="utf-8")
    program, message = build(source, folder, libraries, compiler)
    if message:
        return [f"does not compile: {message[:500]}"], ""
    status, findings, printed = run(program)
    errors = errors_of_bug if source.parent.name == "bugs" else errors_of_correct
    return list(errors(text, status, findings)), printed


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    top, names = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    libraries = [top / "common" / "emulator" / "libemulator.a"]
    compiler = top / "emulator" / "emulator-compile"
    folder = top / "corpus"
    folder.mkdir(exist_ok=True)
    sources = [s for s in sorted(HERE.glob("bugs/*.cu")) + sorted(HERE.glob("correct/*.cu"))
               if not names or s.stem in names]  # fmt: skip
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda source: judge(source, folder, libraries, compiler), sources)
        for source, (errors, printed) in zip(sources, results):
            if errors or names:
                print(f"{source.parent.name}/{source.name}: {'; '.join(errors) or 'as it should be'}")
                print("  " + printed.replace("\n", "\n  ").rstrip())
            failed += bool(errors)
    bugs = sum(source.parent.name == "bugs" for source in sources)
    print(f"{bugs} programs with a bug, {len(sources) - bugs} without: {failed} not as they should be")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
