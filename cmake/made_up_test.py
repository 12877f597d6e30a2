#!/usr/bin/env python3
"""Adds a made-up chapter and a made-up exercise to a copy of the course, by the steps of CONTRIBUTING.md, and sees
them built, listed, run, tested, checked, proven and graded; then lets ./course new-exercise add one more.

    made_up_test.py SOURCE BUILD

SOURCE is the checkout, BUILD a finished build of it for the emulator. What that build has compiled is not compiled
again for the copy: the same source makes the same object."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CHAPTER, EXERCISE = "90_made_up", "90a_made_up"
# What they are made from.
CHAPTER_LIKE, EXERCISE_LIKE, PROGRAM_LIKE, SOLUTION_LIKE = "01_global", "01a_residual", "global", "residual"

# Stands before g++ in the copy's build. What depends on where the checkout is must be compiled there, and what is new.
LAUNCHER = """#!/bin/sh
for word; do
  case $before in
    -o) object=$PWD/$word ;;
    -MF) dependencies=$word ;;
  esac
  before=$word
done
compiled=$BUILD_BEFORE/${object#"$BUILD_HERE"/}
case $compiled in
  */cli/CMakeFiles/course.dir/* | */cli/CMakeFiles/course-grade.dir/* | *made_up* | *_90* | */exercise_proof.dir/* | */prove_exercise.dir/*) exec "$@" ;;
esac
[ -f "$compiled" ] || exec "$@"
[ -z "$dependencies" ] || echo "$word:" >"$dependencies"
exec cp "$compiled" "$object"
"""


class Wrong(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Wrong(what)


def run(*command, status=0, **options):
    """What a command prints. Wrong if it ends with another status."""
    words = list(map(str, command))
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    end = "\n".join(done.stdout.splitlines()[-30:])
    check(done.returncode == status, f"{' '.join(words[:4])} …: exit status {done.returncode}, want {status}:\n{end}")
    return done.stdout


def section(page, heading):
    return re.search(rf"(?ms)^## {heading}$(.*?)^## ", page)[1]


def first_column(text, folder):
    """The files that tables name in their first column: `name`, or `folder/name`."""
    named = re.findall(rf"(?m)^\| `(?:{re.escape(folder)}/)?([\w./*]+)` \|", text)
    return [name for name in named if "/" not in name or name.startswith("wrong/")]


def renamed(text):
    """A file of the chapter or exercise that was taken for a pattern, with the names of the made-up one."""
    for old, new in ((CHAPTER_LIKE, CHAPTER), (EXERCISE_LIKE, EXERCISE), ("chapter_01", "chapter_90"), ("(01a", "(90a"),
                     (f'"{PROGRAM_LIKE}.cu"', '"made_up.cu"')):
        text = text.replace(old, new)
    return text


def add(copy, like, new, names, program):
    """Copies the files of that name, where the pattern has them."""
    for name in names:
        pattern = name.replace("name.cu", f"{program}.cu")
        for file in sorted((copy / like).glob(pattern)):
            to = copy / new / file.relative_to(copy / like).with_name(file.name.replace(f"{program}.cu", "made_up.cu"))
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(renamed(file.read_text()))


def add_line(file, line, before):
    text = file.read_text()
    check(before in text, f"{file.name} has no line {before}")
    file.write_text(text.replace(before, f"{line}\n{before}"))


def add_chapter(copy, page):
    text = section(page, "A chapter")
    add(copy, f"chapters/{CHAPTER_LIKE}", f"chapters/{CHAPTER}", first_column(text, "chapters/NN_name"), PROGRAM_LIKE)
    line = re.search(r"`(course_add_chapter\(NN_name [^`]*\))`", text)[1]
    line = line.replace("NN_name", CHAPTER).replace("…", "A chapter that a test made up").replace(" [CUBLAS]", "")
    add_line(copy / "chapters/CMakeLists.txt", line.replace("[LADDER]", "LADDER"), "course_write_chapter_list()")


def add_exercise(copy, page):
    text = section(page, "An exercise")
    handout, solution = text.split("| file in `solutions/", 1)
    # The stub is not written by hand.
    names = [name for name in first_column(handout, "") if name != f"{SOLUTION_LIKE}.cu"]
    add(copy, f"exercises/{EXERCISE_LIKE}", f"exercises/{EXERCISE}", names, SOLUTION_LIKE)
    names = first_column(solution.split("\n\n", 1)[0], "")
    add(copy, f"solutions/{EXERCISE_LIKE}", f"solutions/{EXERCISE}", names, SOLUTION_LIKE)
    line = re.search(r"(?m)^course_add_exercise\(.*\)$", text)[0].replace(EXERCISE_LIKE, EXERCISE)
    add_line(copy / "exercises/CMakeLists.txt", line, "course_write_exercise_list()")


def cache_of(build):
    entries = re.findall(r"(?m)^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text())
    return dict(entries)


def configure(source, before, build, cmake, environment):
    launcher = build.parent / "launcher.sh"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    cache = cache_of(before)
    kept = ("CMAKE_CXX_COMPILER", "CMAKE_BUILD_TYPE", "COURSE_WERROR")
    options = [f"-D{name}={cache[name]}" for name in kept if name in cache]
    run(cmake, "-S", source, "-B", build, "-G", cache["CMAKE_GENERATOR"], "-DCOURSE_BACKEND=emulator", *options,
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", f"-DFETCHCONTENT_BASE_DIR={before / '_deps'}", env=environment)


def see(copy, build, before, cmake, ctest):
    course = build / "bin/course"

    def build_targets(*targets):
        run(cmake, "--build", build, "--parallel", 2, "--target", *targets)

    # The chapter.
    build_targets("course", CHAPTER, f"{CHAPTER}_test", f"{CHAPTER}_launch_test", "make_stubs", "prove_exercise")
    chapter = json.loads((build / "chapters.json").read_text())[-1]
    check(chapter["name"] == CHAPTER and chapter["ladder"], f"chapters.json ends with {chapter}")
    listed = run(course, "list", "--all")
    check("90" in listed and "A chapter that a test made up" in listed, f"the list is\n{listed}")
    said = run(course, "run", "90", "--size", 64)
    check(re.search(r"(?m)^global +yes ", said), f"the chapter's report is\n{said}")
    said = run(ctest, "--test-dir", build, "-L", "chapter90", "-LE", "exercises", "--no-tests=error", "-E", "fast")
    check("100% tests passed" in said, f"the chapter's tests say\n{said}")
    bench = "".join(file.read_text() for file in (build / "tools/measure").glob("*.?pp"))
    check("add_chapter_90" in bench, "the bench does not know the chapter")

    # The exercise: its stub is made, and fails; its model solution is proven, passes, and has all points.
    stub = copy / f"exercises/{EXERCISE}/made_up.cu"
    model = copy / f"solutions/{EXERCISE}/made_up.cu"
    run(build / "bin/make_stubs", build / "exercises.json")
    check(stub.is_file() and "TODO" in stub.read_text(), "no stub was made")
    check("90a" in run(course, "list", "--all"), "the exercise is not listed")
    run(course, "check", "90a", status=1)
    run(build / "bin/prove_exercise", "--one-a-case", "90a")
    submission = build.parent / "submission/90a_made_up/made_up.cu"
    submission.parent.mkdir(parents=True)
    submission.write_text(re.sub(r"(?ms)^ *//@stub\n.*?//@solution\n|^ *//@end\n", "", model.read_text()))
    trust = [] if shutil.which("bwrap") and os.access("/proc/self/ns/user", os.R_OK) else ["--trust"]
    witness = [] if list(before.glob("grading/witness/witness-*")) else ["--without-witness"]
    said = run(course, "grade", "90a", "--submission", submission.parents[1], *trust, *witness)
    check(re.search(r"\b10 of 10\b", said), f"the marks are\n{said}")

    # One that `new-exercise` makes is proved as it stands.
    said = run(course, "new-exercise", "90b", "second_one")
    check("90b is proved" in said, f"new-exercise says\n{said}")
    check("TODO" in (copy / "exercises/90b_second_one/second_one.cu").read_text(), "new-exercise has made no stub")
    check("90b_second_one/README.md" in (copy / "exercises/README.md").read_text(), "it has no row in the list")
    check("90b" in run(course, "list", "--all"), "what new-exercise has made is not listed")


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    source, before = (pathlib.Path(word).resolve() for word in arguments)
    cache = cache_of(before)
    with tempfile.TemporaryDirectory(prefix="made up ") as folder:
        folder = pathlib.Path(folder).resolve()
        folder.chmod(0o755)
        copy, build = folder / "course", folder / "build"
        unwanted = shutil.ignore_patterns(".git", "build", "__pycache__")
        shutil.copytree(source, copy, symlinks=True, ignore=unwanted)
        build.mkdir()
        page = (copy / "CONTRIBUTING.md").read_text()
        try:
            add_chapter(copy, page)
            add_exercise(copy, page)
            environment = os.environ | {"BUILD_BEFORE": str(before), "BUILD_HERE": str(build)}
            os.environ.update(environment)
            configure(copy, before, build, cache["CMAKE_COMMAND"], environment)
            see(copy, build, before, cache["CMAKE_COMMAND"], cache["CMAKE_CTEST_COMMAND"])
        except Wrong as wrong:
            print(wrong)
            return 1
    print("a made-up chapter and a made-up exercise: built, listed, run, tested, proven and graded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
