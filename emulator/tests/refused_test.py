#!/usr/bin/env python3
"""What nvcc refuses, emucc also refuses, and in one line that names the rule.

    refused_test.py [--some] [--nvcc NVCC] EMUCC

Every program of refused/, which has a room for each kind of rule, has a comment above the line that breaks one:

    // refused: a kernel is launched, not called

emucc must end with a status other than 0, and its output must be one line, which names the file and the line of the
program and holds that text. Where the program says `// reported by: g++` in its first lines, there may be more lines.
One with `// reported by: clang` is refused only where clang is installed. A program of accepted/ must be accepted. With
--nvcc, nvcc is asked instead of emucc, and only whether it accepts. With --some it is every third program of refused/.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 120  # seconds


def run(command):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST,
                           env={**os.environ, "LC_ALL": "C"}, check=False)
    return ended.returncode, ended.stdout


def reporter_of(text):
    found = re.search(r"^// reported by: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else "the emulator"


def is_refused(source):
    return HERE / "refused" in source.parents


def find_clang():
    """The clang that emucc would ask."""
    wanted = os.environ.get("EMULATOR_CLANG", "")
    if wanted:
        return wanted != "none" and shutil.which(wanted)
    return any(shutil.which(name) for name in ["clang++", *(f"clang++-{version}" for version in range(14, 23))])


def fault_of_refused(source, emucc):
    """What is wrong with emucc's answer, or nothing."""
    text = source.read_text()
    lines = text.splitlines()
    wanted = [(i, line.split("// refused: ")[1]) for i, line in enumerate(lines, 1) if "// refused: " in line]
    if len(wanted) != 1:
        return "it should have one line '// refused: ...'"
    above, sentence = wanted[0]
    status, output = run([emucc, "-O0", "-Xcompiler", "-fsyntax-only", "-c", "-o", os.devnull, str(source)])
    if status == 0:
        return "emucc accepts it"
    said = output.splitlines()
    if len(said) != 1 and reporter_of(text) != "g++":
        return f"emucc does not say it in one line:\n{output}"
    first = next((line for line in said if ": error: " in line), "")
    if not re.match(rf"{re.escape(str(source))}:{above + 1}:", first):
        return f"it is not about line {above + 1}:\n{output}"
    return None if sentence in first else f"it does not say '{sentence}':\n{output}"


def fault_of_accepted(source, emucc):
    status, output = run([emucc, "-O0", "-Xcompiler", "-fsyntax-only", "-c", "-o", os.devnull, str(source)])
    return None if status == 0 else f"emucc refuses it:\n{output}"


def fault_by_nvcc(source, nvcc):
    status, output = run([nvcc, "-arch=sm_75", "-c", "-o", os.devnull, str(source)])
    if is_refused(source):
        return None if status != 0 else "nvcc accepts it"
    return None if status == 0 else f"nvcc refuses it:\n{output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", help="ask this nvcc instead of emucc")
    parser.add_argument("--some", action="store_true", help="every third of the programs that are refused")
    parser.add_argument("emucc")
    options = parser.parse_args()
    refused = sorted((HERE / "refused").rglob("*.cu"), key=lambda file: file.name)[:: 3 if options.some else 1]
    accepted = sorted((HERE / "accepted").glob("*.cu"))
    left_out = []
    if not options.nvcc and not find_clang():
        left_out = [source for source in refused if reporter_of(source.read_text()) == "clang"]
    tasks = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source in refused + accepted:
            if source in left_out:
                continue
            if options.nvcc:
                tasks[source] = pool.submit(fault_by_nvcc, source, options.nvcc)
            else:
                check = fault_of_refused if is_refused(source) else fault_of_accepted
                tasks[source] = pool.submit(check, source, options.emucc)
    faults = 0
    for source, task in tasks.items():
        if task.result():
            faults += 1
            print(f"{source.relative_to(HERE)}: {task.result()}", file=sys.stderr)
    if left_out:
        print(f"{len(left_out)} programs left out: no clang here")
    print(f"{len(refused) - len(left_out)} refused, {len(accepted)} accepted, {faults} faults")
    return 1 if faults or not refused or not accepted else 0


if __name__ == "__main__":
    sys.exit(main())
