#!/usr/bin/env python3
"""Writes the result tables of the pages from the files that the chapters' programs wrote.

A table stands in a page between two comments, and nobody types what is between them:

    <!-- results: nvidia-h200/01_global nvidia-h200/02_coalesced -->
    ...
    <!-- end of results -->

The names are files under docs/results/, each written by a chapter's program with --json, or by
tools/nsight_counters.py. `file:first,second` takes only the kernels named so.

What ./course measure wrote is one file a GPU, from which a name picks chapters, a shape, and how the
cache was, where that is not cold:

    nvidia-h200#06_unroll,07_cublas:cublas-row-major@16384x16384
    nvidia-h200#00_first_kernel@20971520
    nvidia-h200#06_unroll:rows,06_unroll:float4@2048x2048/hot

The rows come in the order of the name, a chapter's in the order of the file. In either form a kernel
is named in lower case, with a dash for whatever is no letter or digit: "warp a row, float4" is
warp-a-row-float4. One table holds one GPU, one shape, one state of the cache.

Without arguments the pages are rewritten; with --check nothing is written, and the exit status is 1
if a page says something else than the files.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
MEASURED = re.compile(r"([^#]+)#([^@]+)@(\d+)(?:x(\d+))?(?:/(hot|cold))?")
BLOCK = re.compile(r"(<!-- results: ([^>]+?) -->\n).*?(<!-- end of results -->)", re.DOTALL)


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def times(report, row):
    return [
        row["kernel"],
        f"{row['median_ms']:.4f}",
        f"{row['p10_ms']:.4f} … {row['p90_ms']:.4f}",
        number(row["gb_per_s"]),
        f"{row['percent_of_ceiling']:.1f} %",
    ]


def measured(report, row):
    ratio = row["ratio_to_cublas"]
    return times(report, row) + ([f"{ratio:.2f}"] if ratio is not None else [])


def traffic(report, row):
    requests, sectors = row["global_load_requests"], row["global_load_sectors"]
    return [
        row["kernel"],
        number(requests),
        number(sectors),
        number(sectors / requests, 2),
        number(row["global_store_sectors"]),
    ]


def counters(report, row):
    return [
        row["kernel"].removeprefix("sgemv_").replace("_", " ").replace("<", ", ").rstrip(">"),
        number(row["global_load_requests"]),
        number(row["global_load_sectors"]),
        number(row["global_store_sectors"]),
        f"{row['l1_hit_percent']:.1f} %",
        f"{row['memory_bytes_read'] / 1e9:.2f} GB",
        f"{row['warps_active_percent']:.1f} %",
        number(row["registers_a_thread"]),
    ]


TABLES = {
    "cuda": (times, ["kernel", "median ms", "10 % … 90 %", "GB/s", "of ceiling"]),
    "measure": (
        measured,
        ["kernel", "median ms", "10 % … 90 %", "GB/s", "of ceiling", "× cuBLAS"],
    ),
    "emulator": (
        traffic,
        ["kernel", "load requests", "load sectors", "sectors a request", "store sectors"],
    ),
    "nsight": (
        counters,
        ["kernel", "load requests", "load sectors", "store sectors", "found in level 1",
         "read from memory", "warps active", "registers"],
    ),
}  # fmt: skip


def dashed(text):
    """A kernel's name as a page writes it."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_measured(name):
    """What the name asks for of a file that ./course measure wrote, in the form of a chapter's file."""
    match = MEASURED.fullmatch(name)
    if not match:
        sys.exit(f"page_tables: want gpu#chapters@ROWSxCOLS or gpu#chapters@ELEMENTS, got {name}")
    file, wanted, rows, cols, cache = match.groups()
    shape = {"rows": int(rows), "cols": int(cols or 1), "cache": cache or "cold"}
    path = RESULTS / f"{file}.json"
    if not path.is_file():
        sys.exit(f"page_tables: no such results: {file}.json")
    report = json.loads(path.read_text(encoding="utf-8"))
    kept = []
    for part in wanted.split(","):
        chapter, _, kernel = part.partition(":")
        found = [
            row
            for row in report["kernels"]
            if row["chapter"] == chapter
            and (not kernel or dashed(row["kernel"]) == kernel)
            and all(row[key] == value for key, value in shape.items())
        ]
        if not found:
            sys.exit(f"page_tables: {name}: the file has no {part} of this shape and cache")
        kept += found
    for row in kept:
        if not (row["verified_before"] and row["verified_after"]):
            sys.exit(f"page_tables: an unverified result: {row['kernel']}")
    bounds = {row["bound"] for row in kept}
    if len(bounds) != 1:
        sys.exit(f"page_tables: {name}: no two ceilings in one table: {', '.join(sorted(bounds))}")
    bound = bounds.pop()
    ceiling = {"name": bound, **report["ceilings"][bound]}
    return {"backend": "measure", "device": report["device"]["name"], **shape,
            "ceiling": ceiling, "results": kept}  # fmt: skip


def read(name):
    """One file of results, with the rows that the name asks for."""
    if "#" in name:
        return read_measured(name)
    name, _, wanted = name.partition(":")
    path = RESULTS / f"{name}.json"
    if not path.is_file():
        sys.exit(f"page_tables: no such results: {name}.json")
    report = json.loads(path.read_text())
    if wanted:
        kernels = wanted.split(",")
        kept = [row for row in report["results"] if dashed(row["kernel"]) in kernels]
        if len(kept) != len(kernels):
            sys.exit(f"page_tables: {name} lacks a kernel of {wanted}")
        report["results"] = kept
    for row in report["results"]:
        if not row.get("verified", True):
            sys.exit(f"page_tables: an unverified result: {row['kernel']}")
    return report


def note(reports):
    """The line below a table: where its figures come from."""
    first = reports[0]
    shape = f"{first['rows']:,}" + (f" × {first['cols']:,}" if first["cols"] > 1 else " elements")
    if first["backend"] == "emulator":
        return f"Counted by the emulator, {shape}."
    if first["backend"] == "nsight":
        return f"Counted by Nsight Compute, {first['device']}, {shape}."
    samples = min(row["samples"] for report in reports for row in report["results"])
    hot = ", data in the level-2 cache" if first.get("cache") == "hot" else ""
    ceilings = sorted({round(report["ceiling"]["gb_per_s"]) for report in reports})
    range_text = " … ".join(number(c) for c in sorted({ceilings[0], ceilings[-1]}))
    return (
        f"{first['device']}, {shape}{hot}, {samples} samples; "
        f"{first['ceiling']['name']} ceiling in that run {range_text} GB/s."
    )


def table(names):
    """The lines of one table over the rows of all the named files."""
    reports = [read(name) for name in names]
    kinds = {(r["backend"], r["device"], r["rows"], r["cols"], r.get("cache")) for r in reports}
    if len(kinds) != 1:
        sys.exit(f"page_tables: no two kinds of figures in one table: {' '.join(names)}")
    row_cells, head = TABLES[reports[0]["backend"]]
    if reports[0]["backend"] == "measure":  # a vector kernel has no counterpart in the library here
        without = {row["ratio_to_cublas"] is None for r in reports for row in r["results"]}
        if without == {True}:
            head = head[:-1]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for report in reports:
        for row in report["results"]:
            lines.append("| " + " | ".join(row_cells(report, row)) + " |")
    return "\n".join(lines + ["", note(reports)]) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: page_tables.py [--check]")
    pages = [ROOT / "README.md", *sorted(ROOT.glob("chapters/*/README.md")), *sorted(ROOT.glob("docs/*.md"))]
    blocks = stale = 0
    for page in pages:
        text = page.read_text()
        blocks += len(BLOCK.findall(text))
        fresh = BLOCK.sub(lambda m: m.group(1) + table(m.group(2).split()) + m.group(3), text)
        if fresh != text:
            stale += 1
            print(f"{page.relative_to(ROOT)}: {'stale' if check else 'rewritten'}")
            if not check:
                page.write_text(fresh)
    print(f"{blocks} tables on {len(pages)} pages, {stale} pages {'stale' if check else 'rewritten'}")
    if blocks == 0:
        sys.exit("page_tables: no table found on any page")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
