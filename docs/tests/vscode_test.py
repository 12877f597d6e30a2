#!/usr/bin/env python3
"""Tests .vscode/: vscode_test.py BUILD_FOLDER, a build for the emulator.

What the files name has to exist once Visual Studio Code has put in its variables, for each chapter and each exercise;
and gdb does what launch.json asks of it. Exit status 77: gdb may not trace a program here.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = None
VARIABLE = re.compile(r"\$\{(\w+)\}")


def filled(value, source):
    """The value with the editor's variables for an open file put in."""
    known = {"workspaceFolder": str(ROOT), "relativeFileDirname": str(source.parent.relative_to(ROOT)),
             "fileDirnameBasename": source.parent.name, "file": str(source), "fileDirname": str(source.parent)}
    if isinstance(value, dict):
        return {key: filled(inner, source) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, source) for inner in value]
    return VARIABLE.sub(lambda match: known[match[1]], value) if isinstance(value, str) else value


def configuration(source):
    """The one configuration and its task."""
    launch, = json.loads((ROOT / ".vscode/launch.json").read_text())["configurations"]
    task = next(task for task in tasks() if task["label"] == launch["preLaunchTask"])
    return filled(launch, source), filled(task, source)


def tasks():
    return json.loads((ROOT / ".vscode/tasks.json").read_text())["tasks"]


def sources():
    """(the .cu, the program that the build makes of it) of every chapter and exercise."""
    for chapter in json.loads((BUILD / "chapters.json").read_text()):
        name = chapter["name"]
        yield ROOT / "chapters" / name / f"{name.split('_', 1)[1]}.cu", pathlib.Path(chapter["program"])
    for exercise in json.loads((BUILD / "exercises.json").read_text())["exercises"]:
        name = exercise["name"]
        yield ROOT / "exercises" / name / exercise["file"], BUILD / "exercises" / name / "check"


class Files(unittest.TestCase):
    def test_every_source(self):
        """For each .cu: the task is the one that is named, what it runs exists, and it makes what is debugged."""
        found = list(sources())
        self.assertGreater(len(found), 20)
        for source, _ in found:
            self.assertTrue(source.is_file(), source)
            launch, task = configuration(source)
            self.assertEqual(launch["preLaunchTask"], task["label"])
            self.assertTrue(os.access(task["command"], os.X_OK), task["command"])
            self.assertTrue(pathlib.Path(launch["cwd"]).is_dir())
            self.assertTrue((ROOT / task["args"][0]).is_dir(), task["args"])
            self.assertEqual(launch["program"], f"{ROOT}/build/emulator/debug/{source.parent.name}")
            for command in launch["setupCommands"]:
                if command["text"].startswith("source "):
                    self.assertTrue(pathlib.Path(command["text"].split(" ", 1)[1]).is_file(), command)

    def test_the_task(self):
        """With tools that only write down how they are called: what is built, and where the link goes."""
        for wanted, call in (("chapters/01_global", "--target 01_global"),
                             ("exercises/01a_residual", "--target exercise_01a")):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder).resolve()
                shutil.copytree(ROOT / "cli/script", root / "cli/script")
                (root / wanted).mkdir(parents=True)
                (root / "build/emulator/bin").mkdir(parents=True)
                (root / "build/emulator/CMakeCache.txt").touch()
                for tool in (root / "cmake", root / "build/emulator/bin/course"):
                    tool.write_text(f"#!/bin/sh\necho \"$0 $*\" >> {root}/calls\n")
                    tool.chmod(0o755)
                run = subprocess.run([root / "cli/script/build_for_debugging.sh", wanted], text=True,
                                     env=dict(os.environ, PATH=f"{root}:{os.environ['PATH']}"), capture_output=True)
                self.assertEqual(run.returncode, 0, run.stderr)
                calls = (root / "calls").read_text()
                self.assertIn(call, calls)
                self.assertEqual("course build-exercise 01a" in calls, wanted.startswith("exercises"))
                name = wanted.split("/")[1]
                program = f"chapters/{name}" if wanted.startswith("chapters") else f"exercises/{name}/check"
                self.assertEqual(os.readlink(root / "build/emulator/debug" / name), f"{root}/build/emulator/{program}")

    def test_findings_are_seen(self):
        """What the editor's matcher sees of a finding: its message, its file and its line."""
        source = ROOT / "emulator/evidence/corpus/bugs/races/race_tile_no_barrier.cu"
        task = filled(next(task for task in tasks() if "checks" in task["label"]), source)
        self.assertEqual(task["args"][-2:], ["emucc", str(source)])
        self.assertTrue(os.access(task["command"], os.X_OK), task["command"])
        # What `./course emucc` runs.
        run = subprocess.run([BUILD / "emulator/emucc", "--run", "--look", source], stderr=subprocess.PIPE, text=True,
                             cwd=task["options"]["cwd"],
                             env={**os.environ, **task["options"]["env"], "EMULATOR_CHECK": "1"})
        matcher = task["problemMatcher"][1]
        first, second = matcher["pattern"]
        lines = run.stderr.splitlines()
        seen = [(re.search(first["regexp"], line), re.search(second["regexp"], after))
                for line, after in zip(lines, lines[1:]) if re.search(first["regexp"], line)]
        self.assertTrue(seen and all(place for _, place in seen), run.stderr)
        finding, place = seen[0]
        self.assertEqual(finding[first["severity"]], "error")
        self.assertIn("nothing orders the two", finding[first["message"]])
        file = pathlib.Path(matcher["fileLocation"][1], place[second["file"]])
        self.assertIn("tile[t] = x[t];", file.read_text().splitlines()[int(place[second["line"]]) - 1])

    def test_wrong_folders(self):
        for wrong in ([], ["docs"], ["chapters"], ["chapters/99_nothing"], ["chapters/01_global/deeper"]):
            run = subprocess.run([ROOT / "cli/script/build_for_debugging.sh", *wrong], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, wrong)
            self.assertRegex(run.stderr, r"^build_for_debugging: [^\n]+\n$")

    def test_gdb_does_what_is_asked(self):
        """The command line that the configuration stands for, with the programs that this build has."""
        tried = 0
        for source, program in sources():
            chapter = source.parent.parent.name == "chapters"
            if not program.is_file() or (chapter and source.stem != "global"):
                continue
            launch, _ = configuration(source)
            words = [launch["miDebuggerPath"], "-nx", "-q", "-batch"]
            for command in launch["setupCommands"]:
                if not command["text"].startswith("-"):
                    words += ["-ex", command["text"]]
            # As small as it can be: a student's kernel may launch nothing yet.
            where = "kernel break global.cu:15 block 1 thread 5" if chapter else "break main"
            then = "kernel thread" if chapter else "frame"
            words += ["-ex", where, "-ex", "run", "-ex", then, "--args", str(program), *launch["args"]]
            words += ["--rows", "300", "--cols", "20"] if chapter else []  # a test is to be short
            environment = {variable["name"]: variable["value"] for variable in launch["environment"]}
            run = subprocess.run(words, cwd=launch["cwd"], env={**os.environ, **environment}, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
            if chapter:
                self.assertIn("thread (5,0,0) of (128,1,1)", run.stdout)
            else:
                self.assertRegex(run.stdout, r"Breakpoint 1,.* main")
            tried += 1
            if tried == 2:
                break
        self.assertGreater(tried, 0, f"no program in {BUILD}")


def may_trace():
    try:
        said = subprocess.run(["gdb", "-nx", "-q", "-batch", "-ex", "python print(1 + 1)", "-ex", "starti", "--args",
                               shutil.which("true")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        return False
    return said.stdout.startswith("2\n") and "Program stopped" in said.stdout


if __name__ == "__main__":
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1], "chapters.json").is_file():
        print("vscode_test: want a build folder for the emulator", file=sys.stderr)
        sys.exit(2)
    BUILD = pathlib.Path(sys.argv[1]).resolve()
    if not may_trace():
        print("SKIPPED: no gdb that knows Python and may trace a program here (Debian: gdb)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
