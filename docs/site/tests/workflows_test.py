#!/usr/bin/env python3
"""The files of GitHub Actions and GitLab CI: whatever their commands run or name must be in the repository, they must
test with .ci/run, and pass on only what a command has made."""

import os
import pathlib
import re
import shlex
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from with_yaml import yaml  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
CI, PAGES, RELEASE, GITLAB = FILES = (".github/workflows/ci.yml", ".github/workflows/pages.yml",
                                      ".github/workflows/release.yml", ".gitlab-ci.yml")
TEST, BUILD = "bash .ci/run", "python3 docs/site/build_site.py --out "
# What commands may make: the build folder, and the folder that GitLab publishes.
MADE = re.compile(r"(?:build|public)(?:/|$)")
SYSTEM = {"apt-get", "bash", "cmake", "cp", "cpack", "gh", "git", "grep", "python3"}
ACTION = re.compile(r"actions/[\w-]+@v\d+")


def command_problems(words, root):
    """What is wrong with a command: a program that is neither the system's nor ours, a file that is not there."""
    program, rest = words[0], words[1:]
    if program in ("bash", "python3"):
        script = root / rest[0] if rest else root
        if not (script.is_file() or (script / "__main__.py").is_file()):
            yield f"{' '.join(words[:2])}: there is no such script"
        rest = rest[1:]
    elif program not in SYSTEM:
        if not (root / program).is_file():
            yield f"{program} is neither a file of the repository nor a program that is known here"
        elif not os.access(root / program, os.X_OK):
            yield f"{program} may not be executed"
    for word in rest:
        path = word.rpartition("=")[2]
        if "/" in path and not path.startswith(("/", "$")) and not MADE.match(path) and not (root / path).exists():
            yield f"the repository has no {path}"


def github_jobs(document):
    """Of each job: its name, its commands, what it keeps, the actions that it uses."""
    for job, told in document["jobs"].items():
        steps = told["steps"]
        yield (job, [step["run"] for step in steps if "run" in step],
               [step["with"]["path"] for step in steps if "/upload-" in step.get("uses", "")],
               [step["uses"] for step in steps if "uses" in step])


def gitlab_jobs(document):
    for job, told in document.items():
        if isinstance(told, dict) and "script" in told:
            scripts = told.get("before_script", []) + (told["script"] or [])
            yield job, scripts, told.get("artifacts", {}).get("paths", []), []


def left_by_tests(root):
    """The folders that the tests write to, where .ci/run builds."""
    text = "".join((root / file).read_text(encoding="utf-8")
                   for file in ("docs/CMakeLists.txt", "docs/site/tests/CMakeLists.txt",
                                "emulator/tools/packaging/CMakeLists.txt"))
    return {folder.replace("${CMAKE_BINARY_DIR}", "build/emulator") for folder in re.findall(r"--out ([^\s)]+)", text)}


def file_problems(name, document, root):
    # Without quotes, GitHub's key `on` would be YAML's word for true.
    if name != GITLAB and not ("on" in document and document.get("permissions") == {"contents": "read"}):
        yield 'no "on", or other permissions for all jobs than to read the contents'
    count = 0
    for job, scripts, kept, actions in (gitlab_jobs if name == GITLAB else github_jobs)(document):
        made = set()
        for script in scripts:
            if not isinstance(script, str):
                yield f"{job}: {script!r} is no command"
                continue
            for line in script.splitlines():
                words = shlex.split(line, comments=True)
                made |= {folder for option, folder in zip(words, words[1:]) if option in ("--out", "tools/headers")}
                made |= left_by_tests(root) if line == TEST else set()
                for problem in command_problems(words, root) if words else ():
                    yield f"{job}: {problem}"
                count += bool(words)
        for path in kept:
            if not any(path == folder or path.startswith(f"{folder}/") for folder in made):
                yield f"{job}: keeps {path}, which nothing makes"
        for action in actions:
            if not ACTION.fullmatch(action):
                yield f"{job}: {action} is no official action at a version"
    if not count:
        yield "runs nothing"


def problems(texts, root):
    """What is wrong with the files, whose texts are given."""
    found = []
    for name, text in texts.items():
        try:
            document = yaml.safe_load(text)
        except yaml.YAMLError as error:
            found.append(f"{name} is no YAML: {' '.join(str(error).split())}")
            continue
        found += [f"{name}: {problem}" for problem in file_problems(name, document, root)]
    for command, names in ((TEST, (CI, GITLAB)), (BUILD, (PAGES, RELEASE, GITLAB))):
        found += [f"{name} does not run `{command.strip()}`" for name in names
                  if not re.search(rf"^[^#]*{re.escape(command)}", texts[name], re.M)]
    return found


# Each of these, put in place of what is in a file, must be found.
BROKEN = (
    (CI, "bash .ci/run", "bash .ci/run-all", "bash .ci/run-all: there is no such script"),
    (CI, "bash .ci/run", "./course --help", "ci.yml does not run `bash .ci/run`"),
    (CI, "bash .ci/run", "docs/performance_goals.json", "docs/performance_goals.json may not be executed"),
    (CI, "bash .ci/run", "bash .ci/run docs/none.md", "the repository has no docs/none.md"),
    (CI, "bash .ci/run", "make all", "make is neither a file"),
    (CI, "build/emulator/site-screenshots", "build/site-pictures", "keeps build/site-pictures, which"),
    (CI, "build/emulator/packages", "build/packages", "keeps build/packages, which"),
    (CI, "build/emulator/notebooks", "build/notebooks", "keeps build/notebooks, which"),
    (CI, "actions/checkout@v7", "actions/checkout@main", "is no official action at a version"),
    (CI, '"on":', "on:", 'no "on"'),
    (CI, "run:", "runs:", "runs nothing"),
    (CI, "jobs:", "jobs: [", "is no YAML"),
    (PAGES, "--out build/site", "--out build/pages", "keeps build/site, which"),
    (PAGES, "docs/site/build_site.py", "tools/build_site.py", "there is no such script"),
    (PAGES, "contents: read\n\n#", "contents: write\n\n#", "other permissions"),
    (RELEASE, "path: build/packages", "path: build/packed", "keeps build/packed, which"),
    (RELEASE, "site/cuda-step-by-step.pdf", "book/cuda-step-by-step.pdf", "keeps build/book/cuda-step-by-step.pdf, which"),
    (RELEASE, "tools/headers build/headers", "tools/headers build/h", "keeps build/headers, which"),
    (RELEASE, "python3 tools/headers", "python3 tools/none", "tools/none: there is no such script"),
    (RELEASE, "packaging/packages_test.py", "packaging/test.py", "there is no such script"),
    (RELEASE, "CHANGELOG.md", "docs/CHANGES.md", "the repository has no docs/CHANGES.md"),
    (GITLAB, "- bash .ci/run", "- true", "True is no command"),
    (GITLAB, "- bash .ci/run", "# - bash .ci/run", "gitlab-ci.yml does not run `bash .ci/run`"),
    (GITLAB, "--out public", "--out build/site", "keeps public, which nothing makes"),
)


def blind_spots(texts, root):
    """The broken files that are not found to be broken."""
    for name, old, new, said in BROKEN:
        if old not in texts[name]:
            yield f"{name} has no {old!r} to break"
            continue
        try:
            told = problems({**texts, name: texts[name].replace(old, new)}, root)
        except (KeyError, TypeError) as error:
            told = [f"{type(error).__name__}: {error}"]
        if not any(said in problem for problem in told):
            yield f"{name} with {new!r} is not found to be broken: {told}"


def main():
    missing = [name for name in FILES if not (ROOT / name).is_file()]
    if missing:
        print(f"not there: {', '.join(missing)}")
        return 1
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in FILES}
    found = problems(texts, ROOT) or list(blind_spots(texts, ROOT))
    for problem in found:
        print(problem)
    if not found:
        print(f"{len(FILES)} files are right, and {len(BROKEN)} broken ones were seen through")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
