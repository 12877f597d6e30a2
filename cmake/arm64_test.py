#!/usr/bin/env python3
"""Chapters and exercises on 64-bit ARM, tried on another processor: arm64_test.py FOLDER BUILD

FOLDER has an emucc for ARM in installed/ (emulator/tests/arm64_test.py leaves it there), and BUILD is this machine's
build of the course. The same sources are compiled for ARM, and what is printed must be the same: of chapters all but the
times, of exercises' checks every word. Exit status 77: there is no cross compiler, or no qemu.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "emulator/tests"))
import arm64  # noqa: E402
from arm64 import must  # noqa: E402

CHAPTERS = {
    "00_first_kernel/first_kernel.cu": ("--size", "3000"),
    "01_global/global.cu": ("--rows", "129", "--cols", "257"),
    "05_shuffle/shuffle.cu": ("--rows", "130", "--cols", "127"),
    "11_transpose/transpose.cu": ("--rows", "65", "--cols", "127", "--banks"),
}
# Each as it is handed out, which fails, and solved, which passes.
EXERCISES = ("00a_five_steps", "01a_residual")
TIMES = ("wall_ms", "median_ms", "p10_ms", "p90_ms", "samples")


class Here:
    """The course as it was built."""

    def __init__(self, build, exercises, folder):
        self.build, self.exercises, self.folder = build, exercises, folder
        folder.mkdir()

    def chapter(self, source):
        return self.build / "chapters" / pathlib.Path(source).parent

    def exercise(self, name, source):
        """The checks of an exercise, with a file for the student's."""
        program = self.folder / f"{source.parent.parent.name}-{name}"
        exercise, = (one for one in self.exercises["exercises"] if one["name"] == name)
        must(*self.exercises["compile"], *exercise["compile"], "-c", "-x", "c++", source, "-o", f"{program}.o")
        must(*self.exercises["link"], f"{program}.o", *exercise["objects"], *exercise["libraries"], "-o", program)
        return program


class There:
    """The same on ARM: kernels are compiled by emucc, and what has none by the cross compiler, as in a build."""

    def __init__(self, emucc, build, exercises, folder):
        self.emucc, self.folder = emucc, folder
        self.options = [f"-Xcompiler={word}" for word in exercises["compile"] if word.startswith(("-D", "-f"))]
        headers = ("common", "common/lesson", "emulator/include")
        self.include = [f"-I{ROOT / name}" for name in headers] + [f"-I{build}/emulator/forwarding_headers"]
        folder.mkdir()
        # What all exercises share, as one source: main.cpp has doctest's functions.
        shared = sorted((ROOT / "common/checks").glob("*.cpp"), key=lambda path: (path.name != "main.cpp", path))
        together = folder / "checks.cpp"
        together.write_text("".join(f'#include "{path}"\n' for path in shared), encoding="utf-8")
        self.shared = self.compiled(together)
        self.common = folder / "common.o"
        must(*emucc, "-std=c++20", *self.include, "-c", ROOT / "common/lesson/common.cu", "-o", self.common)

    def compiled(self, source, *words):
        made = self.folder / f"{source.parent.name}-{source.stem}.o"
        if not made.exists():
            must(arm64.COMPILER, "-std=c++20", "-Og", *words, *self.include, "-c", source, "-o", made)
        return made

    def program(self, name, *words):
        arm64.compile_program(self.emucc, self.folder / name, "--look", "-std=c++20", f"-I{ROOT / 'common/lesson'}",
                              *words)  # fmt: skip
        return self.folder / name

    def chapter(self, source):
        path = ROOT / "chapters" / source
        return self.program(path.stem, "-DCOURSE_COMMON_IS_BUILT", path, self.common)

    def exercise(self, name, source):
        check = self.compiled(ROOT / "exercises" / name / "check.cpp", f'-DCOURSE_EXERCISE="{name}"',
                              f'-DCOURSE_EXERCISE_FILE="{source.name}"')  # fmt: skip
        return self.program(f"{source.parent.parent.name}-{name}", *self.options, source, check, self.shared)


def everything(machine):
    """What programs print: of chapters the report without times, of checks their exit status and output."""
    for source, options in CHAPTERS.items():
        report = machine.folder / "report.json"
        must(machine.chapter(source), *options, "--json", report)
        shown = json.loads(report.read_text(encoding="utf-8"))
        for row in shown["results"]:
            for name in TIMES:
                row.pop(name, None)
        yield f"chapter {source}", shown
    environment = os.environ | {"EMULATOR_CHECK": "1", "COURSE_CHECK_TIMEOUT": "200"}
    for name in EXERCISES:
        for folder in ("exercises", "solutions"):
            source, = (ROOT / folder / name).glob("*.cu")
            program = machine.exercise(name, source)
            done = subprocess.run([program], capture_output=True, text=True, check=False, env=environment)
            yield f"{folder}/{name}", (done.returncode, done.stdout)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lacking = arm64.missing()
    if lacking:
        print(f"SKIPPED: not installed: {lacking}")
        return arm64.SKIPPED
    installed = arm64.emucc_in(pathlib.Path(sys.argv[1]).resolve() / "installed/usr")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        build = pathlib.Path(sys.argv[2]).resolve()
        exercises = json.loads((build / "exercises.json").read_text(encoding="utf-8"))
        here = Here(build, exercises, pathlib.Path(folder, "here"))
        there = There(installed, build, exercises, pathlib.Path(folder, "there"))
        all_here, all_there = pool.map(lambda machine: dict(everything(machine)), (here, there))
    wrong = 0
    for what, wanted in all_here.items():
        if all_there[what] != wanted:
            wrong += 1
            print(f"{what}: here\n{wanted}\nand on ARM\n{all_there[what]}")
        if what.startswith("solutions/") and wanted[0] != 0 or what.startswith("exercises/") and wanted[0] == 0:
            wrong += 1
            print(f"{what}: status {wanted[0]}")
    print(f"{len(all_here)} programs, {wrong} of them not the same on 64-bit ARM")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"arm64_test: {error}")
