"""Reads the files in docs/results: by the names that pages give them, and a shape or a kernel of one."""

import json
import re
import sys

from places import RESULTS
from renamed import with_present_names

MEASURED = re.compile(r"([^#]+)#([^@]+)@(\d+)(?:x(\d+)(?:x(\d+))?)?(?:/(hot|cold))?")


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def dashed(text):
    """A kernel's name as a page writes it."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def gpus():
    """What ./course measure has files of. The one that the pages' prose speaks of comes first."""
    names = sorted(path.stem for path in RESULTS.glob("*.json") if path.name != "schema.json")
    return sorted(names, key=lambda name: name != "nvidia-h200")


def all_gpus():
    """Those, and GPUs of which there are files of single chapters only."""
    named = {path.parents[1].name for kind in ("measured", "drawn") for path in RESULTS.glob(f"*/{kind}/*.json")}
    return gpus() + sorted(named - set(gpus()))


def load(file):
    path = RESULTS / f"{file}.json"
    if not path.is_file():
        sys.exit(f"tables: no such results: {file}.json")
    return with_present_names(json.loads(path.read_text(encoding="utf-8")))


def measured_file(gpu, chapter):
    """What ./course measure wrote of the chapter on that GPU: a file of its own, or the one of all chapters."""
    own = f"{gpu}/measured/{chapter}"
    return own if (RESULTS / f"{own}.json").is_file() else gpu


def measured_rows(gpu, chapter):
    """The rows of that file; none if there is no such file."""
    file = measured_file(gpu, chapter)
    return load(file)["kernels"] if (RESULTS / f"{file}.json").is_file() else []


def parse(name):
    """A name's parts: the GPU's file, chapters or kernels, the shape and the cache."""
    match = MEASURED.fullmatch(name)
    if not match:
        sys.exit(f"tables: want gpu#chapters@ROWSxCOLS or gpu#chapters@ELEMENTS, got {name}")
    file, wanted, rows, cols, inner, cache = match.groups()
    shape = {"rows": int(rows), "cols": int(cols or 1), "inner": inner and int(inner), "cache": cache or "cold"}
    return file, wanted.split(","), shape


def chapter_of(part):
    """The chapter of a part of a name, chapter or chapter:kernel."""
    return part.partition(":")[0]


def holds(row, wanted):
    return all(row.get(key) == value for key, value in wanted.items())


def for_each_gpu(names):
    """The names as they are, or once for each GPU that has the shapes, where they say `gpus`."""
    general = [name.startswith("gpus#") for name in names]
    if not any(general):
        return [names]
    if not all(general):
        sys.exit(f"tables: gpus and a single one in one table: {' '.join(names)}")
    parts = [parse(name)[1:] for name in names]
    having = []
    for gpu in all_gpus():
        if all(
            any(row["chapter"] == chapter and holds(row, shape) for row in measured_rows(gpu, chapter))
            for wanted, shape in parts
            for chapter in {chapter_of(part) for part in wanted}
        ):
            having.append([gpu + name.removeprefix("gpus") for name in names])
    if not having:
        sys.exit(f"tables: no GPU's file has the shape of {' '.join(names)}")
    return having


def read_measured(name):
    """What the name asks for of a file that ./course measure wrote, in the form of a chapter's file."""
    gpu, wanted, shape = parse(name)
    files = sorted({measured_file(gpu, chapter_of(part)) for part in wanted})
    if len(files) != 1:
        sys.exit(f"tables: {name}: no two runs in one table: {', '.join(files)}")
    report = load(files[0])
    kept = []
    for part in wanted:
        chapter, _, kernel = part.partition(":")
        found = [
            row
            for row in report["kernels"]
            if row["chapter"] == chapter
            and (not kernel or dashed(row["kernel"]) == kernel)
            and holds(row, shape)
        ]
        if not found:
            sys.exit(f"tables: {name}: the file has no {part} of this shape and cache")
        kept += found
    for row in kept:
        if not (row["verified_before"] and row["verified_after"]):
            sys.exit(f"tables: an unverified result: {row['kernel']}")
    bounds = {row["bound"] for row in kept}
    if len(bounds) != 1:
        sys.exit(f"tables: {name}: no two ceilings in one table: {', '.join(sorted(bounds))}")
    bound = bounds.pop()
    ceiling = {"name": bound, **report["ceilings"][bound]}
    return {"backend": "measure", "device": report["device"]["name"], **shape,
            "ceiling": ceiling, "latency": report.get("latency"), "results": kept}  # fmt: skip


def read(name):
    """One file of results, with the rows that the name asks for."""
    if "#" in name:
        return read_measured(name)
    name, _, wanted = name.partition(":")
    report = load(name)
    if "k" in report:  # the profiler's files name a product's extents as the program does
        report |= {"rows": report["m"], "cols": report["n"], "inner": report["k"]}
    if wanted:
        kernels = wanted.split(",")
        kept = [row for row in report["results"] if dashed(row["kernel"]) in kernels]
        if len(kept) != len(kernels):
            sys.exit(f"tables: {name} lacks a kernel of {wanted}")
        report["results"] = kept
    for row in report["results"]:
        if not row.get("verified", True):
            sys.exit(f"tables: an unverified result: {row['kernel']}")
    return report


def size(shape):
    if shape.get("inner"):
        return f"m = {shape['rows']:,}, n = {shape['cols']:,}, k = {shape['inner']:,}"
    what = "passes" if shape.get("chapter") == "shared_returns" else "elements"  # its --size is not an array's
    return f"{shape['rows']:,}" + (f" × {shape['cols']:,}" if shape["cols"] > 1 else f" {what}")
