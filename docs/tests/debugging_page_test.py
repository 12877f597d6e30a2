#!/usr/bin/env python3
"""Compares the transcripts of gdb in docs/debugging-kernels.md with what gdb prints.

    docs/tests/debugging_page_test.py BUILD_FOLDER            exit status 1 if one is not as printed
    docs/tests/debugging_page_test.py --write BUILD_FOLDER    rewrites them

BUILD_FOLDER is a build for the emulator. A transcript is in the page as

    <!-- gdb: 04_shared --rows 300 -->
    <!-- end of gdb -->

with a block of text in between, whose lines that begin with `(gdb) ` are the commands. What varies is left out or
masked: addresses, what gdb says of its libraries. Exit status 77: gdb may not trace a program here.
"""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "debugging-kernels.md"
BLOCK = re.compile(r"(<!-- gdb: (.+?) -->\n```text\n)(.*?)(```\n<!-- end of gdb -->)", re.DOTALL)
NOISE = re.compile(r"^(?:\[Thread (?:debugging|0x)|Using host libthread_db|\[Switching to|\[New Thread).*\n", re.M)


def masked(text):
    text = NOISE.sub("", text).replace(f"{ROOT}/", "")
    return re.sub(r"0x[0-9a-f]{3,}", "0x…", text)


def transcript(build, command, commands):
    """What gdb prints for the commands, with the commands."""
    program, *options = shlex.split(command)
    words = ["gdb", "-nx", "-q", "-batch", "-x", str(ROOT / "emulator/tools/gdb/emulator.py")]
    for said in commands:
        # What the program prints comes when it likes.
        typed = f"run {shlex.join(options)} > /dev/null" if said == "run" else said
        words += ["-ex", "echo \\n<command>\\n", "-ex", typed]
    words += ["-ex", "echo \\n<command>\\n", "--args", str(build / "chapters" / program), *options]
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    environment.pop("EMULATOR_THREADS", None)
    run = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                         env=environment)
    parts = run.stdout.split("\n<command>\n")[1:-1]
    text = ""
    for said, part in zip(commands, parts):
        part = masked(part + "\n").strip("\n")
        text += f"(gdb) {said}\n" + (f"{part}\n" if part else "")
    return text


def main():
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    if len(arguments) != 1 + write:
        print("debugging_page_test: want a build folder for the emulator", file=sys.stderr)
        return 2
    build = pathlib.Path(arguments[-1]).resolve()
    text = PAGE.read_text()
    blocks = BLOCK.findall(text)
    if not blocks or len(blocks) != text.count("<!-- gdb:"):
        print(f"debugging_page_test: {PAGE.name}: no transcript, or one without its end", file=sys.stderr)
        return 2
    missing = [build / "chapters" / command.split()[0] for _, command, _, _ in blocks]
    missing = [str(path) for path in missing if not path.is_file()]
    if missing:
        print(f"debugging_page_test: no program {missing[0]}", file=sys.stderr)
        return 2
    try:
        tried = subprocess.run(["gdb", "-nx", "-q", "-batch", "-ex", "python print(1 + 1)", "-ex", "break main", "-ex",
                                "run", "--args", str(build / "chapters" / blocks[0][1].split()[0])],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    except FileNotFoundError:
        tried = ""
    if not re.search(r"^2$", tried, re.M) or "Breakpoint 1, main" not in tried:
        print("SKIPPED: no gdb that knows Python and may trace a program here (Debian: gdb)")
        return 77
    stale = []

    def anew(match):
        commands = re.findall(r"^\(gdb\) (.*)$", match[3], re.M)
        printed = transcript(build, match[2], commands)
        if printed != match[3]:
            stale.extend(difflib.unified_diff(match[3].splitlines(), printed.splitlines(), PAGE.name, "gdb",
                                              lineterm=""))
        return match[1] + printed + match[4]

    new = BLOCK.sub(anew, text)
    if write:
        PAGE.write_text(new)
    print("\n".join(stale) or f"{len(blocks)} transcripts: as printed")
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.exit(main())
