"""Writes the emulator's listings into pages: what a chapter's program prints with --traffic.

    python3 tools/pages listings BUILD_FOLDER            brings every listing up to date
    python3 tools/pages listings --check BUILD_FOLDER    changes nothing: the exit status is 1 if one is not

BUILD_FOLDER is a build for the emulator. A listing is in a page as

    <!-- listing: 01_global --rows 64 --cols 96 -->
    <!-- end of listing -->
"""

import pathlib
import re
import shlex
import subprocess
import sys

from places import ROOT, chapter_pages

BLOCK = re.compile(r"(<!-- listing: (.+?) -->\n)(.*?)(<!-- end of listing -->)", re.DOTALL)
START = "What each line of the kernels asked"


def listing(build, command):
    program, *options = shlex.split(command)
    path = build / "chapters" / program
    if not path.is_file():
        sys.exit(f"listings: no program {path}")
    run = subprocess.run([path, *options, "--traffic"], cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0 or START not in run.stdout:
        sys.exit(f"listings: {command}: exit status {run.returncode}, {run.stderr.strip() or 'no listing'}")
    return run.stdout[run.stdout.index(START) :].rstrip("\n") + "\n"


def updated(text, build):
    return BLOCK.sub(lambda match: f"{match[1]}```text\n{listing(build, match[2])}```\n{match[4]}", text)


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check or arguments[-1].startswith("-"):
        sys.exit("listings: want [--check] BUILD_FOLDER")
    build = pathlib.Path(arguments[-1])
    listings = stale = 0
    for path in [ROOT / "README.md", *chapter_pages(), *sorted(ROOT.glob("docs/*.md"))]:
        page = path.relative_to(ROOT)
        text = path.read_text()
        listings += len(BLOCK.findall(text))
        if text.count("<!-- listing:") != len(BLOCK.findall(text)):
            sys.exit(f"listings: {page}: a listing without its end")
        new = updated(text, build)
        if new == text:
            continue
        stale += 1
        print(f"{page}: {'not up to date' if check else 'updated'}")
        if not check:
            path.write_text(new)
    print(f"{listings} listings, {stale} pages {'stale' if check else 'changed'}")
    return 1 if listings == 0 or (check and stale) else 0
