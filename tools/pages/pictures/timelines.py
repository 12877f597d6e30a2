"""Draws the timelines that the pages show, docs/timelines/*.svg: what ran in which stream when a program ran.

    python3 tools/pages timelines BUILD_FOLDER            runs the programs and draws the pictures
    python3 tools/pages timelines --check BUILD_FOLDER    draws nothing: the exit status is 1 if a picture is missing, is
                                                          not what is drawn now, is nobody's, or is on no page, and if
                                                          docs/emucc.md does not tell the emulator's rule of steps

BUILD_FOLDER is a build for the emulator. What a GPU did is drawn from a file that was recorded there, if it is in
docs/results (docs/results/README.md says how it comes there). A picture is what emulator/tools/picture/timeline_picture.py
draws, and so `./course picture --timeline`, with the timeline in it as data: from these it is drawn for phones when the site is
built (phones.py).
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import drawn_files
from places import RESULTS, ROOT, chapter_pages

from picture_command import DrawingError  # isort: skip (places says where it is)
from timeline import Timeline  # isort: skip
from svg import data_of, with_data  # isort: skip
from timeline_drawing import draw_timeline  # isort: skip

FOLDER = ROOT / "docs" / "timelines"


class Run(NamedTuple):
    program: str  # in the build folder
    options: tuple
    name: str  # in the picture


def streams(way):
    return Run("chapters/15_streams", ("--size", "65536", "--chunks", "8", "--only", way), f"15_streams, {way}")


PICTURES = {
    "two-streams": Run("emulator/observers/emulator_timeline_program", ("two",), "two streams"),
    "default-stream": Run("emulator/observers/emulator_timeline_program", ("default",), "kernels in the default stream"),
    "15-kernels-in-default": streams("kernels in default"),
    "15-depth-first": streams("depth first"),
    "15-by-kind": streams("by kind"),
}
RECORDED = {  # by a GPU: the file, and its name in the picture
    "15-kernels-in-default-nvidia-h200": ("nvidia-h200/timelines/15_kernels_in_default",
                                          "15_streams, kernels in default"),
    "15-depth-first-nvidia-h200": ("nvidia-h200/timelines/15_depth_first", "15_streams, depth first"),
}  # fmt: skip


def record_of(build, run):
    """What the run's program writes, with the sizes that it has by itself."""
    path = build / run.program
    if not path.is_file():
        raise DrawingError(f"no program {path}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "timeline.json"
        done = subprocess.run([path, *run.options], cwd=folder, env=os.environ | {"EMULATOR_TIMELINE": str(file)},
                              capture_output=True, text=True, check=False)  # fmt: skip
        if done.returncode != 0:
            raise DrawingError(f"{run.program}: exit status {done.returncode}, {done.stderr.strip() or 'no word on stderr'}")
        return titled(file, run.name)


def titled(file, title):
    record = json.loads(file.read_text(encoding="utf-8"))
    record["otherData"]["program"] = title
    return record


def recorded():
    """The timelines of a GPU that are there, by the names of their pictures."""
    return {name: titled(path, title) for name, (file, title) in RECORDED.items()
            if (path := RESULTS / f"{file}.json").is_file()}  # fmt: skip


def picture(record, phone=False):
    """Drawn from what a timeline's file holds."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "timeline.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        return draw_timeline(Timeline(file), phone=phone)[0].svg()


def for_phones(text):
    """A timeline drawn for phones, from the data in its picture."""
    return picture(data_of(text), phone=True)


def drawn(build):
    """The pictures by the names of their files."""
    records = {name: record_of(build, run) for name, run in PICTURES.items()} | recorded()
    texts = {f"{name}.svg": with_data(picture(record), record) for name, record in records.items()}
    for name, record in records.items():
        if for_phones(texts[f"{name}.svg"]) != picture(record, phone=True):
            raise DrawingError(f"{name}: for phones the picture's data draw another one")
    return texts


def on_no_page(files):
    pages = [*chapter_pages(), *sorted(ROOT.glob("docs/*.md"))]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    return [f"{file}: on no page" for file in files if not re.search(rf'timelines/{re.escape(file)}[")]', text)]


def rule_untold():
    """The rule's constants that are different in the page than in the emulator."""
    code = (ROOT / "emulator/observers/timeline/work_steps.cpp").read_text(encoding="utf-8")
    page = (ROOT / "docs/emucc.md").read_text(encoding="utf-8")
    rows = {"threads_a_step": ("kernel", 1, " threads"), "bytes_a_step": ("copy between host and device", 1024, " KiB"),
            "device_bytes_a_step": ("copy within the device, setting memory", 1024, " KiB")}  # fmt: skip
    for constant, (work, unit, name) in rows.items():
        value = int(re.search(rf"\b{constant} = (\d+);", code)[1])
        row = f"| {work} | 1 for each {value // unit:,}{name}"
        if row not in page:
            yield f"docs/emucc.md: no row '{row}'"


def main(arguments):
    wants_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + wants_check or arguments[-1].startswith("-"):
        sys.exit("timelines: want [--check] BUILD_FOLDER")
    try:
        pictures = drawn(pathlib.Path(arguments[-1]).resolve())
    except DrawingError as refused:
        sys.exit("timelines: " + " ".join(str(refused).split()))
    if not wants_check:
        drawn_files.write(FOLDER, pictures)
        return 0
    wrong = [*drawn_files.faults(FOLDER, pictures), *on_no_page(pictures), *rule_untold()]
    print(*wrong, f"{len(pictures)} timelines checked, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0
