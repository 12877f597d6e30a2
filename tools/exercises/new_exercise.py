#!/usr/bin/env python3
"""Makes an exercise to start from: its handout, hints, checks, boundary, model solution and wrong ones, the line that
adds it to the build, its row in exercises/README.md, and its stub; then proves it. `./course new-exercise` calls it.

    new_exercise.py BUILD 05c name

BUILD is a configured build for the emulator. What is made is a whole exercise of one kernel, y = a x, in the words of
new_exercise/: change it, file by file. Exit status 0: made and proved; 1: not proved; 2: nothing was made.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = pathlib.Path(__file__).resolve().with_name("new_exercise")
LINE = re.compile(r"^course_add_exercise\(\s*(\d\d[a-z])_\w+", re.MULTILINE)
LAST = re.compile(r"\n(\n*course_write_exercise_list\(\))")
LONGEST = 30


class Refused(Exception):
    pass


def check_names(root, ident, name):
    """The chapter's folder; Refused if no exercise may have these names."""
    if not re.fullmatch(r"[0-9][0-9][a-z]", ident):
        raise Refused(f"an exercise's id is a chapter's number and a letter, 05c, not {ident!r}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > LONGEST:
        raise Refused(f"a name is made of small letters, digits and single underscores, as row_sums, and has at most "
                      f"{LONGEST} characters: not {name!r}")
    chapters = sorted(folder for folder in (root / "chapters").glob("[0-9][0-9]_*") if (folder / "README.md").is_file())
    found = [folder for folder in chapters if folder.name.startswith(ident[:2])]
    if not found:
        first, last = chapters[0].name[:2], chapters[-1].name[:2]
        raise Refused(f"there is no chapter {ident[:2]}: chapters are {first} to {last}")
    if not (root / "solutions").is_dir():
        raise Refused("this copy has no solutions/, and an exercise has its model solution there")
    for folder in ("exercises", "solutions"):
        for taken in (root / folder).glob(f"{ident}_*"):
            raise Refused(f"{taken.relative_to(root)} is there already")
    return found[0]


def listed(text, ident, name):
    """exercises/CMakeLists.txt with a line more, at its place."""
    line = f'course_add_exercise({ident}_{name} TITLE "{words_of(name)}" KIND build POINTS 10)'
    later = [match.start() for match in LINE.finditer(text) if match[1] > ident]
    if any(match[1] == ident for match in LINE.finditer(text)):
        raise Refused(f"exercises/CMakeLists.txt has an exercise {ident} already")
    last = LAST.search(text)
    if not last:
        raise Refused("exercises/CMakeLists.txt does not end with course_write_exercise_list()")
    at = later[0] if later else last.start(1)
    return f"{text[:at]}{line}\n{text[at:]}"


def words_of(name):
    return name.replace("_", " ").capitalize()


def files(root, ident, name, chapter):
    """What is made, by path."""
    values = {"@ID@": ident, "@NAME@": name, "@WORDS@": words_of(name).lower(), "@CHAPTER@": ident[:2],
              "@CHAPTER_FOLDER@": chapter.name}  # fmt: skip
    made = {}
    for pattern in sorted(TEMPLATE.rglob("*.in")):
        place = pattern.relative_to(TEMPLATE).with_suffix("")
        is_solution = place.name == "solution.cu" or place.parent.name == "wrong"
        if place.name == "solution.cu":
            place = pathlib.Path(f"{name}.cu")
        text = pattern.read_text(encoding="utf-8")
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        made[root / ("solutions" if is_solution else "exercises") / f"{ident}_{name}" / place] = text
    return made


def make(root, ident, name):
    """Writes the files and adds the line; leaves nothing behind if that fails."""
    chapter = check_names(root, ident, name)
    build_list = root / "exercises" / "CMakeLists.txt"
    text = listed(build_list.read_text(encoding="utf-8"), ident, name)
    folders = [root / folder / f"{ident}_{name}" for folder in ("exercises", "solutions")]
    try:
        for path, content in files(root, ident, name, chapter).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        build_list.write_text(text, encoding="utf-8")
    except OSError:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return folders


def list_in_page(root):
    """Brings the table of exercises in exercises/README.md up to date."""
    sys.dont_write_bytecode = True  # leaves nothing beside the tools
    sys.path.append(str(ROOT / "tools" / "pages"))
    import places  # noqa: F401 (says where the rooms are)
    import exercise_list
    page = root / "exercises" / "README.md"
    text = page.read_text(encoding="utf-8")
    begin, end = "<!-- list: exercises -->\n", "<!-- end of list -->"
    head, _, rest = text.partition(begin)
    _, _, tail = rest.partition(end)
    if tail:
        page.write_text(head + begin + exercise_list.block("exercises", root) + end + tail, encoding="utf-8")


def run(*command):
    """Whether a command succeeds; what it printed is shown if not."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-30:]))
    return done.returncode == 0


def prove(root, build, ident):
    """Builds what an exercise is made with; writes its stub; proves that the stub fails, the model solution passes and
    each wrong one is caught."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    cmake = re.search(r"(?m)^CMAKE_COMMAND:INTERNAL=(.*)$", cache)[1]
    programs = build / "bin"
    targets = ("make_stubs", "prove_exercise", f"exercise_{ident}")
    return (run(cmake, build) and run(cmake, "--build", build, "--target", *targets)
            and run(programs / "make_stubs", build / "exercises.json")
            and run(programs / "prove_exercise", ident))  # fmt: skip


def main(arguments, root=ROOT):
    if len(arguments) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, ident, name = pathlib.Path(arguments[0]), arguments[1], arguments[2]
    try:
        folders = make(root, ident, name)
        list_in_page(root)
    except (Refused, OSError) as error:
        print(f"course: {error}", file=sys.stderr)
        return 2
    for folder in folders:
        print(folder.relative_to(root))
    sys.stdout.flush()
    if not prove(root, build, ident):
        print(f"course: {ident} is made, and not proved: prove_exercise {ident} (in {build}/bin) says more",
              file=sys.stderr)
        return 1
    print(f"{ident} is proved: its stub fails, its model solution passes, its wrong ones are caught.\n"
          'CONTRIBUTING.md, "An exercise", says what to change next.')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
