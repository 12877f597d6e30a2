"""Makes a notebook of each chapter's page and program, and of each exercise, for Jupyter and Colab.

    python3 tools/pages notebooks --out FOLDER [--wheel FILE|URL] [NAME...]    NAME as 02_coalesced, 02 or 01a
    python3 tools/pages notebooks --check                                      makes them, and keeps none

An exercise's notebook needs a checkout, in which ./course checks what its cell saves (exercise_notebooks.py). A
chapter's is one file and needs emucc's wheel, and nothing of the repository. Its text is the page's; its pictures and
the course's headers are in it. The program's files are cells of %%emucc, as they stand, before the first section that
runs it. Where the page says `./course run 02 --rows 2047`, `./course traffic 02` or `./course picture 02 ...`, a cell
below does that. --wheel says where the first cell finds emucc: a file is copied beside the notebooks.
"""

import argparse
import base64
import functools
import io
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile
from typing import NamedTuple

from exercise_notebooks import exercise_names, exercise_notebook
from notebook_cells import about, cell, numbered
from notebook_text import chapters_text, markdown, no_links, sections
from places import ROOT

# What no cell can have: a platform of OpenCL, and kernels that are read from a file as the program runs.
WITHOUT = {
    "18_opencl": "it needs OpenCL",
}
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)
BY_HAND = re.compile(r"^//.*?\b(nvcc -std\S*(?:.*\n//  )?.*)$", re.M)
LONG = 4_000_000  # elements: what is larger takes the emulator too long for a cell, or too much memory
SLOW = ("--kinds",)  # options with which the emulator takes minutes

NEEDS = """# This notebook needs emucc, a compiler for CUDA C++ that needs no GPU, and g++ 11 or newer.
# {where}
import glob
import importlib.util

if importlib.util.find_spec("emucc") is None:
    if importlib.util.find_spec("course_jupyter"):
        %load_ext course_jupyter
    else:
        wheels = {wheels}
        if not wheels:
            raise FileNotFoundError("no emucc-*.whl in this folder")
        %pip install --quiet {{wheels[-1]}}
%load_ext emucc
"""
HEADERS = """#@title What the course's programs share, {count} files: unpacked into a folder of its own
import base64, io, tarfile, tempfile

unpacked = tempfile.mkdtemp()
common = unpacked + "/lesson"
packed = "{data}"
tarfile.open(fileobj=io.BytesIO(base64.b64decode(packed))).extractall(unpacked)
"""


class Program(NamedTuple):
    """What is compiled of a chapter, and how."""

    source: str
    headers: list  # and other sources: each a cell that is saved, in an order in which they can be read
    products: tuple  # of earlier chapters that it calls, as 20_gemm_pipeline/best_sgemm.hpp, with all that they include
    options: list  # of the compiler, and more sources


def refused(text):
    sys.exit(f"notebooks: {text}")


def chapter_names():
    """In the order in which they are read."""
    text = (ROOT / "chapters/CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^course_add_chapter\((\S+)", text, re.M)


def included(folder, name, seen):
    """The files of the folder that this one includes, and which these include, first those that others need."""
    for other in INCLUDED.findall((folder / name).read_text(encoding="utf-8")):
        if (folder / other).is_file() and other not in seen and "/" not in other:
            included(folder, other, seen)
            seen.append(other)


def products(folder, names):
    """The files of other chapters that these include, as ../20_gemm_pipeline/best_sgemm.hpp, and what those include."""
    found = []
    for name in names:
        for other in INCLUDED.findall((folder / name).read_text(encoding="utf-8")):
            if other.startswith("../"):
                file = folder.parent / other[3:]
                included(file.parent, file.name, more := [])
                found += [f"{file.parent.name}/{one}" for one in [*more, file.name]]
    return tuple(dict.fromkeys(found))


def program_of(folder):
    """By the line of the program that says how it is compiled by hand."""
    source = folder.name.partition("_")[2] + ".cu"
    by_hand = BY_HAND.search((folder / source).read_text(encoding="utf-8"))
    if not by_hand:
        refused(f"{folder.name}/{source} does not say how it is compiled by hand")
    words = by_hand[1].replace("\n//", " ").split()[1:]
    for option in ("-I", "-o"):
        if option not in words:
            refused(f"{folder.name}/{source} is not compiled by hand with {option}")
        del words[words.index(option):words.index(option) + 2]
    words.remove(source)
    words = [word for word in words if word != "-arch=native"]
    files = []
    for name in (source, *(word for word in words if word.endswith(".cpp"))):
        included(folder, name, files)
        if name != source:
            files.append(name)
    return Program(source, files, products(folder, [*files, source]), words)


# ------------------------------------------------------------------------------------------------------ cells


@functools.lru_cache(maxsize=None)
def headers(products=()):
    """The files of common/lesson that programs need, and beside them those of other chapters, packed: always the same
    bytes. They are one line, long as it is, so that they take little room where a notebook shows cells that should be
    folded."""
    lesson = ROOT / "common/lesson"
    files = {f"lesson/{file.relative_to(lesson)}": file for file in sorted(lesson.rglob("*"))
             if file.parent.name != "tests" and (file.suffix in (".hpp", ".inl") or file.name == "common.cu")}
    files |= {name: ROOT / "chapters" / name for name in products}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=9) as archive:
        for name, file in files.items():
            about = tarfile.TarInfo(name)
            about.size = file.stat().st_size
            archive.addfile(about, io.BytesIO(file.read_bytes()))
    data = base64.b64encode(packed.getvalue()).decode()
    return HEADERS.format(count=len(files), data=data)


def program_cells(folder, program):
    title = "### The program\n\n"
    if program.headers:
        title += "The next cells are kept as files. The last one includes them: it is the program, and runs it.\n\n"
    title += ("The first time, what all chapters share is compiled, too, which takes a while. With `--gpu` in place of "
              "`--look` the cell runs on a GPU, if this machine has one and nvcc.")
    yield cell("markdown", title)
    for name in program.headers:
        yield cell("code", f"%%emucc --save {name}\n{(folder / name).read_text(encoding='utf-8')}")
    options = " ".join(["--look", "--time-limit 600", *program.options, "-DCOURSE_COMMON_IS_BUILT", "-I", "$common",
                        "$common/common.cu"])
    text = (folder / program.source).read_text(encoding="utf-8")
    yield cell("code", f"%%emucc --name {program.source} {options}\n{text}")


def too_large(words):
    return any(word in SLOW or word.isdigit() and int(word) > LONG for word in words) or "16384" in words


def command_cells(number, text):
    """For each command of the text that runs this chapter in a way of its own: the cell that does it."""
    made = []
    for what, rest in re.findall(rf"`\./course (run|traffic|picture) {number}\b ?([^`]*)`", text):
        words = " ".join(rest.split()).split(" -- ")
        ours, arguments = (words[0], words[1:]) if what == "picture" else ("", words[:1] if words[0] else [])
        if re.search(r"\b[A-Z]{1,9}\b|[<>|.]", " ".join(arguments)) or too_large(" ".join(arguments).split()):
            continue
        line = "%emucc"
        if what == "traffic":
            line += " --traffic"
        elif what == "picture":
            told = dict(re.findall(r"--(\w+) (\S+)", ours))
            if "line" not in told:
                continue
            line += " --picture " + (f"{told['file']}:" if "file" in told else "") + told["line"]
            line += f".{told['instruction']}" if "instruction" in told else ""
            line += f" --kernel {told['kernel']}" if "kernel" in told else ""
        elif not arguments:
            continue  # the program's own cell
        line += f" -- {arguments[0]}" if arguments else ""
        if line not in made:
            made.append(line)
    return [cell("code", line) for line in made]


def notebook(name, wheel=None, place=no_links):
    """The notebook of a chapter."""
    folder = ROOT / "chapters" / name
    number = name[:2]
    page = folder / "README.md"
    program = program_of(folder)
    url = wheel if wheel and re.match(r"https?:", wheel) else None
    where = ("It is installed from the address below." if url else
             "Its wheel, emucc-*.whl, must lie in the notebook's folder; in Colab, upload it: the folder at the left.")
    wheels = json.dumps([url]) if url else 'sorted(glob.glob("emucc-*.whl"))'
    intro, *rest = sections(page.read_text(encoding="utf-8"))
    cells = [cell("markdown", markdown(page, chapters_text(intro), place)),
             cell("code", NEEDS.format(where=where, wheels=wheels)),
             cell("code", headers(program.products), jupyter={"source_hidden": True}, cellView="form")]
    is_there = False
    for section in rest:
        blocks = [(text, command_cells(number, text)) for text in section]
        if not is_there and (section[0].startswith("## What the emulator shows") or any(made for _, made in blocks)):
            cells += program_cells(folder, program)
            is_there = True
        waiting = []
        drawn = False
        for text, made in blocks:
            if drawn and "/docs/accesses/" in text and text.startswith(("![", "<!-- explorer")):
                continue  # the cell has just drawn it
            drawn = any("--picture" in line for one in made for line in one["source"])
            waiting.append(text)
            if made:
                cells += [cell("markdown", markdown(page, "\n\n".join(waiting), place)), *made]
                waiting = []
        if waiting:
            cells.append(cell("markdown", markdown(page, "\n\n".join(waiting), place)))
    if not is_there:
        refused(f"{name}: no section runs the program")
    return numbered(name, cells) | about()


def links_from(out, names):
    """Where a link of a notebook leads: to another notebook, or, where they are made within the checkout, to a file."""
    pages = {ROOT / kind / name / "README.md": f"{name}.ipynb" for kind in ("chapters", "exercises") for name in names}
    within = out is not None and ROOT in out.resolve().parents

    def place(file):
        if file in pages and file.is_file():
            return pages[file]
        return pathlib.Path(os.path.relpath(file, out.resolve())).as_posix() if within and file.is_file() else None

    return place


def main(arguments):
    parser = argparse.ArgumentParser(prog="pages notebooks", description="Makes notebooks of chapters and exercises.")
    parser.add_argument("--out", type=pathlib.Path, help="the folder for them")
    parser.add_argument("--wheel", help="emucc's: a file, which is copied beside them, or an address")
    parser.add_argument("--check", action="store_true", help="make them, and keep none")
    parser.add_argument("names", nargs="*", help="as 02_coalesced, 02 or 01a; without any, all")
    options = parser.parse_args(arguments)
    if bool(options.out) == options.check:
        refused("want --out FOLDER, or --check")
    chapters, exercises = chapter_names(), exercise_names()
    known = [*chapters, *exercises]
    for word in options.names:
        if not any(word in (name, name.partition("_")[0]) for name in known):
            refused(f"there is no chapter or exercise {word}")
    chosen = [name for name in known if not options.names or {name, name.partition("_")[0]} & set(options.names)]
    for name in [name for name in chosen if name in WITHOUT]:
        print(f"{name}: none, {WITHOUT[name]}")
        chosen.remove(name)
    place = links_from(options.out, chosen)
    for name in chosen:
        made = exercise_notebook(name, place) if name in exercises else notebook(name, options.wheel, place)
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        if options.out:
            try:
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / f"{name}.ipynb").write_text(text, encoding="utf-8")
            except OSError as error:
                refused(f"cannot write to {options.out}: {error.strerror}")
    if options.wheel and options.out and not re.match(r"https?:", options.wheel):
        if not pathlib.Path(options.wheel).is_file():
            refused(f"there is no file {options.wheel}")
        shutil.copy(options.wheel, options.out)
    print(f"{len(chosen)} notebooks" + (f" in {options.out}" if options.out else ""))
    return 0
