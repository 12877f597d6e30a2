#!/usr/bin/env python3
"""One name, one type: compiles the runtime, the observers and the libraries for g++'s optimizer at link time, which
compares all definitions of a type, and links them into one object.

    one_definition_test.py BUILD-FOLDER

It takes the commands of the build folder, compile_commands.json: a file of two targets is compiled once. Where a room is
compiled as one, that is one file, in the build folder.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

EMULATOR = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("runtime", "observers", "program", "libraries")
SKIPPED = 77


def commands_in(build):
    """{source: (folder, words of the command)} of all that is not a test."""
    rooms = [home / room for home in (EMULATOR, build.resolve(), build.resolve() / "emulator") for room in ROOMS]
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        is_ours = any(room in source.parents for room in rooms) and source.suffix in (".cpp", ".cxx")
        words = shlex.split(entry["command"])
        # Programs elsewhere take single files of a room, which is compiled as one for the emulator.
        result = pathlib.Path(entry["directory"], words[words.index("-o") + 1]).resolve()
        if is_ours and "_test" not in str(source) and any(room in result.parents for room in rooms):
            commands[source] = (entry["directory"], words)
    return commands


def compiled(command, result):
    folder, words = command
    words = list(words)
    words[words.index("-o") + 1] = str(result)
    done = subprocess.run(words + ["-O0", "-g0", "-w", "-flto", "-fno-fat-lto-objects"], cwd=folder, text=True,
                          capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    if not (build / "compile_commands.json").exists():
        print("SKIPPED: the build folder has no compile_commands.json")
        return SKIPPED
    commands = commands_in(build)
    if not commands:
        print(f"{build} compiles nothing of {', '.join(ROOMS)}")
        return 1
    compiler = next(word for word in next(iter(commands.values()))[1] if "ccache" not in word)
    with tempfile.TemporaryDirectory() as folder:
        objects = [pathlib.Path(folder, f"{number}.o") for number in range(len(commands))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            errors = "".join(pool.map(compiled, commands.values(), objects))
        if errors:
            print(errors)
            return 1
        # Undivided: g++ 12 ends with an internal error where it divides names given by asm().
        linked = subprocess.run([compiler, "-O0", "-flto", "-flto-partition=none", "-flinker-output=nolto-rel", "-r",
                                 "-Wodr", "-Werror=odr", *map(str, objects), "-o", str(pathlib.Path(folder, "all.o"))],
                                text=True, capture_output=True, check=False)
    print(linked.stderr, end="")
    wrong = linked.returncode != 0 or "-Wodr" in linked.stderr
    print(f"{len(commands)} files: {'some names have two definitions' if wrong else 'each name has one definition'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
