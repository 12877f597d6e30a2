"""Draws the accesses that the pages show, docs/accesses/*.svg: what a chapter's program asked of the emulator's memory.

    python3 tools/pages accesses BUILD_FOLDER            runs the programs and draws the pictures
    python3 tools/pages accesses --check BUILD_FOLDER    draws nothing: the exit status is 1 if a picture is missing, is
                                                         not what is drawn now, or is nobody's, and if a page that shows
                                                         it does not name the command that draws it

BUILD_FOLDER is a build for the emulator. A picture is what emulator/tools/picture/access_picture.py draws, and so
`./course picture`, with the access in it as data: from these it is drawn for phones when the site is built (phones.py).
The line is found by its text, so that a source may change above it.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import drawn_files
from places import ROOT, chapter_pages

from access_picture import Choice, DrawingError, choose, draw, read_report  # isort: skip (places says where it is)
from svg import data_of, with_data  # isort: skip

FOLDER = ROOT / "docs" / "accesses"


class Access(NamedTuple):
    """A memory instruction of a chapter's program; has what access_picture.choose() looks at."""

    program: str
    file: str
    text: str  # of the source line, without what is before and after it
    instruction: int = 1  # in the line, counted from 1
    options: tuple = ()  # of the program's own, for a kernel that does not run without
    kernel: None = None
    kind: None = None

    @property
    def line(self):
        lines = (ROOT / "chapters" / self.program / self.file).read_text(encoding="utf-8").splitlines()
        found = [number for number, line in enumerate(lines, start=1) if line.strip().startswith(self.text)]
        if len(found) != 1:
            raise DrawingError(f"chapters/{self.program}/{self.file} has {len(found)} lines that begin with "
                               f"'{self.text}'")  # fmt: skip
        return found[0]

    @property
    def command(self):
        file = "" if self.file == f"{self.program[3:]}.cu" else f" --file {self.file}"
        own = " ".join(("", "--", *self.options)) if self.options else ""
        return f"./course picture {self.program[:2]}{file} --line {self.line} --instruction {self.instruction}{own}"


PICTURES = {
    "00-column": Access("00_first_kernel", "first_kernel.cu", "C[idx] = A[idx] + B[idx];"),
    "00-float4": Access("00_first_kernel", "first_kernel.cu", "const float4 x_near = x4[i], x_far = x4[half + i];"),
    "01-global": Access("01_global", "global.cu", "sum += A[static_cast<size_t>(row) * n + j] * x[j];"),
    "02-coalesced": Access("02_coalesced", "coalesced.cu", "sum += A[static_cast<size_t>(j) * m + row] * x[j];"),
    "11-two-columns": Access("11_transpose", "banks.hpp", "out[my_number()] = words[my_number() % flat * pitch",
                             options=("--banks",)),
    "14-offset": Access("14_memory", "accesses.hpp", "if (i < n) y[i] = x[i + offset];",
                        options=("--part", "accesses")),
    "14-stride": Access("14_memory", "accesses.hpp", "if (i * stride < n) y[i] = x[i * stride];",
                        options=("--part", "accesses")),
}  # fmt: skip


def report_of(build, program, options):
    """The instructions that a program's run reports, with the sizes that it has by itself."""
    path = build / "chapters" / program
    if not path.is_file():
        raise DrawingError(f"no program {path}")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run([path, *options], cwd=folder, env=os.environ | {"EMULATOR_REPORT": str(report)},
                             capture_output=True, text=True, check=False)  # fmt: skip
        if run.returncode != 0:
            raise DrawingError(f"{program}: exit status {run.returncode}, {run.stderr.strip() or 'no word on stderr'}")
        return read_report(report)


def drawn(build):
    """The pictures by the names of their files."""
    runs = sorted({(access.program, access.options) for access in PICTURES.values()})
    reports = {run: report_of(build, *run) for run in runs}
    chosen = {name: choose(reports[access.program, access.options], access) for name, access in PICTURES.items()}
    texts = {f"{name}.svg": with_data(draw(choice)[0].svg(), choice.data()) for name, choice in chosen.items()}
    for name, choice in chosen.items():
        if for_phones(texts[f"{name}.svg"]) != draw(choice, phone=True)[0].svg():
            raise DrawingError(f"{name}: for phones the picture's data draw another one")
    return texts


def for_phones(text):
    """The picture of an access drawn for phones, from the data in it."""
    return draw(Choice(**data_of(text)), phone=True)[0].svg()


def silent_pages():
    """Pictures that no page shows, and pages that show one without the command that draws it."""
    pages = [*chapter_pages(), *sorted(ROOT.glob("docs/*.md"))]
    texts = {page.relative_to(ROOT): " ".join(page.read_text(encoding="utf-8").split()) for page in pages}
    for name, access in PICTURES.items():
        showing = [page for page, text in texts.items() if re.search(rf'accesses/{name}\.svg[")]', text)]
        yield from [] if showing else [f"{name}.svg: on no page"]
        for page in showing:
            if f"`{access.command}`" not in texts[page]:
                yield f"{page}: shows {name}.svg without `{access.command}`"


def check(pictures):
    wrong = [*drawn_files.faults(FOLDER, pictures), *silent_pages()]
    print(*wrong, f"{len(pictures)} accesses checked, {len(wrong)} wrong", sep="\n")
    return not wrong


def main(arguments):
    wants_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + wants_check or arguments[-1].startswith("-"):
        sys.exit("accesses: want [--check] BUILD_FOLDER")
    try:
        pictures = drawn(pathlib.Path(arguments[-1]).resolve())
    except DrawingError as refused:
        sys.exit("accesses: " + " ".join(str(refused).split()))
    if wants_check:
        return 0 if check(pictures) else 1
    drawn_files.write(FOLDER, pictures)
    return 0
