#!/usr/bin/env python3
"""Plants mistakes in chapters' kernels, one at a time, and holds what the emulator's checks and the chapter's own
verification then say.

    planted_test.py [--write] BUILD_FOLDER [NAME...]
    planted_test.py

NAME.json beside this is about chapters/NAME: how its program is called, and a row for each mistake: what is wrong, in
which file, what stands there and what is planted instead, and what becomes of it: the kind of the first error that the
checks print; or 'wrong result', if they print none and the program finds it. --write notes what becomes of them. The
programs are compiled by emucc of BUILD_FOLDER from a copy of the chapter; the repository stays as it is. Without
BUILD_FOLDER nothing is planted: all that would be replaced must be there, once each.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves nothing beside the tools
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "emulator/evidence/corpus"))
import corpus_test  # noqa: E402 (says where json_rows is)
import json_rows  # noqa: E402

LONGEST = 600  # seconds that a program may compile, or run


def copied(folder, chapter):
    """The chapter's folder, copied between links to all others."""
    (folder / "common").symlink_to(ROOT / "common")
    (folder / "chapters").mkdir()
    for other in (ROOT / "chapters").iterdir():
        if other.name != chapter:
            (folder / "chapters" / other.name).symlink_to(other)
    return pathlib.Path(shutil.copytree(ROOT / "chapters" / chapter, folder / "chapters" / chapter))


def plant(text, mistake):
    if text.count(mistake["from"]) != 1:
        raise ValueError(f"'{mistake['from']}' is {text.count(mistake['from'])} times in {mistake['file']}")
    return text.replace(mistake["from"], mistake["to"])


def outcome(build, plan, mistake):
    """What becomes of a mistake; of None: of the program as it is."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy = copied(folder, plan["chapter"])
        if mistake is not None:
            file = copy / mistake["file"]
            file.write_text(plant(file.read_text(encoding="utf-8"), mistake), encoding="utf-8")
        program = folder / "program"
        command = [build / "emulator/emucc", "--look", "-w", "-arch=sm_90a", "-std=c++20", f"-I{folder}/common/lesson",
                   copy / f"{plan['chapter'][3:]}.cu", "-o", program]  # fmt: skip
        compiled = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
        if compiled.returncode != 0:
            raise ValueError(f"it does not compile:\n{compiled.stderr[:2000]}")
        status, findings, _ = corpus_test.run(program, plan["arguments"], longest=LONGEST)
        kinds = [finding["kind"] for finding in findings if finding["severity"] == "error"]
        if kinds or status is None:
            return kinds[0] if kinds else "no end"
        return "nothing" if status == 0 else "wrong result"


def wrong_texts():
    """The lines about mistakes that cannot be planted."""
    lines = []
    for path in sorted(HERE.glob("*.json")):
        for mistake in json.loads(path.read_text(encoding="utf-8"))["mistakes"]:
            file = ROOT / "chapters" / path.stem / mistake["file"]
            try:
                plant(file.read_text(encoding="utf-8"), mistake)
            except (OSError, ValueError) as error:
                lines.append(f"{path.name}: {mistake['mistake']}: {error}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.build is None:
        lines = wrong_texts()
        print(*lines, f"{len(lines)} texts to be replaced are not there, once each", sep="\n")
        return 1 if lines else 0
    problems = 0
    for path in sorted(HERE.glob("*.json")):
        if arguments.names and path.stem not in arguments.names:
            continue
        plan = {"chapter": path.stem, **json.loads(path.read_text(encoding="utf-8"))}
        tried = [None, *plan["mistakes"]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            ends = pool.map(lambda one: outcome(arguments.build.resolve(), plan, one), tried)
            for mistake, end in zip(tried, ends):
                wanted = "nothing" if mistake is None else mistake.get("found")
                good = end == wanted or (arguments.write and mistake is not None)
                print(f"{'ok' if good else 'FAILED':6}  {path.stem}: "
                      f"{'as it is' if mistake is None else mistake['mistake']}: {end}"
                      f"{'' if good else f', expected {wanted}'}", flush=True)  # fmt: skip
                problems += not good
                if mistake is not None and arguments.write:
                    mistake["found"] = end
        if arguments.write:
            plan.pop("chapter")
            path.write_text(json_rows.text_of(json_rows.parsed(json.dumps(plan, ensure_ascii=False))), encoding="utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
