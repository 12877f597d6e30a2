"""Writes the result tables of the pages from the files in docs/results.

    python3 tools/pages tables            rewrites the pages
    python3 tools/pages tables --check    changes nothing: the exit status is 1 if a page says something else than the
                                          files

A table stands in a page between two comments, and nobody types what is between them:

    <!-- results: nvidia-h200/01_global nvidia-h200/02_coalesced -->
    ...
    <!-- end of results -->

The names are files under docs/results/, each written by a chapter's program with --json, or by
tools/measure/kernel_counters.py. `file:first,second` takes only the kernels named so.

What ./course measure wrote is one file a GPU, from which a name picks chapters, a shape, and how the
cache was, where that is not cold:

    nvidia-h200#06_unroll,07_cublas:cublas-row-major@16384x16384
    nvidia-h200#00_first_kernel@20971520
    nvidia-h200#06_unroll:rows,06_unroll:float4@2048x2048/hot
    nvidia-h200#08_gemm_tiling@4096x4096x4096

(A shape of three extents, m, n and k, is a product of matrices.)

The rows come in the order of the name, a chapter's in the order of the file. In either form a kernel
is named in lower case, with a dash for whatever is no letter or digit: "warp a row, float4" is
warp-a-row-float4. One table holds one GPU, one shape, one state of the cache. `gpus` in place of a
GPU stands for all of them: one table for each whose file has the shape.

    <!-- predictions: gpus#06_unroll@16384x16384 -->
    ...
    <!-- end of predictions -->

holds what a kernel has on its way, and so may reach by Little's law, against what it reached.

    <!-- goals: gpus -->
    ...
    <!-- end of goals -->

holds what docs/performance_goals.json wants of our products, against what they reached.

    <!-- cpu: cpu/intel-xeon-2.50ghz -->
    ...
    <!-- end of cpu -->

holds what a chapter's program wrote with --json about the host's own processor.

    <!-- instructions: sm_90/09_gemm_unroll -->
    ...
    <!-- end of instructions -->

holds registers and instructions of kernels, from what tools/measure/machine_code.py found in machine code.

    <!-- counters: nvidia-h200 -->
    ...
    <!-- end of counters -->

holds what the emulator counts against that GPU's own counters: see counter_tables.py.

    <!-- cost: emulator/cost -->
    ...
    <!-- end of cost -->

holds what that counting costs,

    <!-- checks: emulator/checks -->
    ...
    <!-- end of checks -->

what counting and the emulator's checks cost, against Oclgrind, and

    <!-- speed: emulator/speed -->
    ...
    <!-- end of speed -->

how fast the emulator is, beside others: see benchmark_tables.py.

    <!-- sanitizers: nvidia-h200 -->
    ...
    <!-- end of sanitizers -->

holds which bugs those checks find, against NVIDIA's compute-sanitizer: see sanitizer_table.py, and

    <!-- finding: bugs/race_third_round -->
    ...
    <!-- end of finding -->

what they print about one program.

    <!-- exercises: nvidia-h200 -->
    ...
    <!-- end of exercises -->

holds which wrong solutions of the exercises are caught on that GPU: see exercises_table.py.
"""

import json
import re
import sys

import benchmark_tables
import counter_tables
import exercises_table
import sanitizer_table
from places import RESULTS, ROOT

GOALS = ROOT / "docs" / "performance_goals.json"
MEASURED = re.compile(r"([^#]+)#([^@]+)@(\d+)(?:x(\d+)(?:x(\d+))?)?(?:/(hot|cold))?")
KINDS = "results|predictions|goals|cpu|instructions|counters|cost|checks|speed|sanitizers|finding|exercises"
BLOCK = re.compile(rf"^(<!-- ({KINDS}): ([^>]+?) -->\n).*?^(<!-- end of \2 -->)", re.DOTALL | re.MULTILINE)
FIRST_LINE = re.compile(rf"^<!-- (?:{KINDS}):", re.MULTILINE)


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def ceiling_of(report):
    """What the rows are held against: a rate, its name in the files and its unit."""
    rate, unit = ("gflop_per_s", "GFLOP/s") if report["ceiling"]["name"] == "fma" else ("gb_per_s", "GB/s")
    return report["ceiling"][rate], rate, unit


def times(report, row):
    return [
        row["kernel"],
        f"{row['median_ms']:.4f}",
        f"{row['p10_ms']:.4f} … {row['p90_ms']:.4f}",
        number(row[ceiling_of(report)[1]]),
        f"{row['percent_of_ceiling']:.1f} %",
    ]


def measured(report, row):
    ratio = row["ratio_to_cublas"]
    return times(report, row) + ([f"{ratio:.2f}"] if ratio is not None else [])


def traffic(report, row):
    requests, sectors = row["global_load_requests"], row["global_load_sectors"]
    cells = [row["kernel"], number(requests), number(sectors), number(sectors / requests, 2)]
    if "inner" in report:
        cells.append(number(2 * sectors / row["operations"], 4))
    return cells + [number(row["global_store_sectors"])]


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


def gpus():
    """What ./course measure has files of. The one that the pages' prose speaks of comes first."""
    names = sorted(path.stem for path in RESULTS.glob("*.json") if path.name != "schema.json")
    return sorted(names, key=lambda name: name != "nvidia-h200")


def load(file):
    path = RESULTS / f"{file}.json"
    if not path.is_file():
        sys.exit(f"tables: no such results: {file}.json")
    return json.loads(path.read_text(encoding="utf-8"))


def parse(name):
    """A name's parts: the GPU's file, chapters or kernels, the shape and the cache."""
    match = MEASURED.fullmatch(name)
    if not match:
        sys.exit(f"tables: want gpu#chapters@ROWSxCOLS or gpu#chapters@ELEMENTS, got {name}")
    file, wanted, rows, cols, inner, cache = match.groups()
    shape = {"rows": int(rows), "cols": int(cols or 1), "inner": inner and int(inner), "cache": cache or "cold"}
    return file, wanted.split(","), shape


def holds(row, wanted):
    return all(row.get(key) == value for key, value in wanted.items())


def for_each_gpu(names):
    """The names as they are, or once for each GPU that has the shapes, where they say `gpus`."""
    general = [name.startswith("gpus#") for name in names]
    if not any(general):
        return [names]
    if not all(general):
        sys.exit(f"tables: gpus and a single one in one table: {' '.join(names)}")
    shapes = [parse(name)[2] for name in names]
    having = []
    for gpu in gpus():
        rows = load(gpu)["kernels"]
        if all(any(holds(row, shape) for row in rows) for shape in shapes):
            having.append([gpu + name.removeprefix("gpus") for name in names])
    if not having:
        sys.exit(f"tables: no GPU's file has the shape of {' '.join(names)}")
    return having


def read_measured(name):
    """What the name asks for of a file that ./course measure wrote, in the form of a chapter's file."""
    file, wanted, shape = parse(name)
    report = load(file)
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
    return f"{shape['rows']:,}" + (f" × {shape['cols']:,}" if shape["cols"] > 1 else " elements")


def note(reports):
    """The line below a table: where its figures come from."""
    first = reports[0]
    shape = size(first)
    if first["backend"] == "emulator":
        return f"Counted by the emulator, {shape}."
    if first["backend"] == "nsight":
        return f"Counted by Nsight Compute, {first['device']}, {shape}."
    samples = min(row["samples"] for report in reports for row in report["results"])
    hot = ", data in the level-2 cache" if first.get("cache") == "hot" else ""
    ceilings = sorted({round(ceiling_of(report)[0]) for report in reports})
    range_text = " … ".join(number(c) for c in sorted({ceilings[0], ceilings[-1]}))
    return (
        f"{first['device']}, {shape}{hot}, {samples:,} samples; "
        f"{first['ceiling']['name']} ceiling in that run {range_text} {ceiling_of(first)[2]}."
    )


def lines_of(head, rows, below, words=1):
    """A table; all but its first `words` columns are figures."""
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("|---" * words + "|---:" * (len(head) - words) + "|")
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join(lines + ["", below]) + "\n"


def table(names):
    """The lines of one table over the rows of all the named files."""
    reports = [read(name) for name in names]
    kinds = {(r["backend"], r["device"], size(r), r.get("cache")) for r in reports}
    if len(kinds) != 1:
        sys.exit(f"tables: no two kinds of figures in one table: {' '.join(names)}")
    row_cells, head = TABLES[reports[0]["backend"]]
    if reports[0].get("inner") and row_cells is traffic:
        head = head[:4] + ["sectors a multiply-add"] + head[4:]
    elif row_cells in (times, measured):
        head = head[:3] + [ceiling_of(reports[0])[2]] + head[4:]
    if reports[0]["backend"] == "measure":  # a vector kernel has no counterpart in the library here
        without = {row["ratio_to_cublas"] is None for r in reports for row in r["results"]}
        if without == {True}:
            head = head[:-1]
    rows = [row_cells(report, row) for report in reports for row in report["results"]
            if row_cells is not traffic or row["global_load_requests"] is not None]  # fmt: skip
    return lines_of(head, rows, note(reports))


def prediction(name):
    """The lines of one table: what Little's law lets each kernel reach, and what it reached."""
    report = read(name)
    if not report.get("latency"):
        sys.exit(f"tables: {name}: the file has no latency to predict from")
    if report["ceiling"]["name"] != "read":
        sys.exit(f"tables: {name}: predictions are for kernels that read")
    latency, ceiling = report["latency"]["memory_ns"], report["ceiling"]["gb_per_s"]
    rows = []
    for row in report["results"]:
        if "bytes_in_flight" not in row:
            continue
        predicted = min(ceiling, row["bytes_in_flight"] / latency)  # bytes a ns are GB/s
        rows.append([row["kernel"], number(row["bytes_in_flight"]), number(predicted),
                     number(row["gb_per_s"]), f"{100 * row['gb_per_s'] / predicted:.0f} %"])  # fmt: skip
    if not rows:
        sys.exit(f"tables: {name}: no kernel says what it has on its way")
    head = ["kernel", "bytes on their way", "Little's law: GB/s", "measured GB/s", "measured of predicted"]
    return lines_of(
        head,
        rows,
        f"{report['device']}, {size(report)}; memory answers after {number(latency)} ns, the read ceiling is "
        f"{number(ceiling)} GB/s: it takes {number(ceiling * latency)} bytes on their way.",
    )


def cpu(name):
    """The lines of one table: what ran on the host's processor, against OpenBLAS with as many threads."""
    report = load(name)["cpu"]
    rows = []
    for row in report["results"]:
        if not row["verified"]:
            sys.exit(f"tables: an unverified result: {row['kernel']}")
        ratio = row["ratio_to_openblas"]
        rows.append([row["kernel"], number(row["threads"]), f"{row['median_ms']:.1f}", number(row["gflop_per_s"], 2),
                     f"{report['results'][0]['median_ms'] / row['median_ms']:.1f}",
                     "–" if ratio is None else f"{ratio:.3f}"])  # fmt: skip
    head = ["product", "threads", "median ms", "GFLOP/s", f"× {rows[0][0]}", "× OpenBLAS"]
    samples = min(row["samples"] for row in report["results"])
    below = f"{report['device']}, {report['threads']} threads at most, {size(report)}, {samples:,} samples or more."
    return lines_of(head, rows, below)


def instructions(name):
    """The lines of one table: registers and instructions, from machine code or, without that, from PTX."""
    report = load(name)
    machine = report["code"] == "sass"
    counted = list(report["kernels"][0]["loop"]["counts"])
    rows = []
    for kernel in report["kernels"]:
        loop = kernel["loop"]
        counts = [kernel["registers"], *(loop["counts"][c] for c in counted), loop["instructions"]]
        a_multiply_add = number(loop["instructions"] / loop["multiply_adds"], 2)
        rows.append([f"`{kernel['kernel']}`", *map(number, counts), a_multiply_add])
    head = ["kernel", "registers", *counted, "all", "instructions a multiply-add"]
    code = f"machine code for {report['architecture']}" if machine else "PTX, no disassembler was there"
    return lines_of(
        head, rows, f"nvcc {report['nvcc']}, {code}: the innermost loop that multiplies and adds, one pass of it."
    )


def read_goals():
    """docs/performance_goals.json. A goal is for the best of ours in its layout, unless it names another kernel."""
    needed = {"layout", "rows", "cols", "cache"}
    limits = {"at_least_ratio", "at_least_percent"}
    goals = json.loads(GOALS.read_text(encoding="utf-8"))
    for goal in goals:
        keys = goal.keys() - {"chapter", "kernel"}
        if not needed <= keys <= needed | limits or not keys & limits:
            sys.exit(f"tables: {GOALS.name}: no such goal: {json.dumps(goal)}")
    best = [{"chapter": "07_cublas", "kernel": f"ours {goal['layout']}"} for goal in goals]
    return [default | goal for default, goal in zip(best, goals)]


def goal_cells(report, goal):
    """One line of the table of goals. What counts is the figure itself, not what is printed of it."""
    goal = dict(goal)
    percent, ratio = goal.pop("at_least_percent", None), goal.pop("at_least_ratio", None)
    wanted = [] if percent is None else [f"≥ {percent:g} % of ceiling"]
    wanted += [] if ratio is None else [f"≥ {ratio:.2f} × cuBLAS"]
    product = goal["kernel"].removeprefix("ours ")
    cells = [product, size(goal), goal["cache"], ", ".join(wanted)]
    row = next((row for row in report["kernels"] if holds(row, goal)), None)
    if row is None:
        return cells + ["not measured", "–"]
    reached = [] if percent is None else [f"{row['percent_of_ceiling']:.1f} %"]
    reached += [] if ratio is None else [f"{row['ratio_to_cublas']:.3f} ×"]
    met = (percent is None or row["percent_of_ceiling"] >= percent) and (
        ratio is None or row["ratio_to_cublas"] >= ratio
    )
    return cells + [", ".join(reached), "yes" if met else "**no**"]


def goals(name):
    """The lines of one table: every goal, and what a GPU's file says of it."""
    report = load(name)
    rows = [goal_cells(report, goal) for goal in read_goals()]
    met = sum(cells[-1] == "yes" for cells in rows)
    without = sum("not measured" in cells for cells in rows)
    ceilings = ", ".join(
        f"{kind} ceiling {number(report['ceilings'][kind]['gb_per_s'])} GB/s" for kind in ("read", "triad")
    )
    return lines_of(
        ["product", "size", "cache", "goal", "reached", "met"],
        rows,
        f"{report['device']['name']}, cuBLAS {report['software']['cublas']}; {ceilings}; "
        f"{met} of {len(rows)} goals met" + (f", {without} not measured." if without else "."),
        words=6,
    )


def block(kind, names):
    """What belongs between the two comments: one table, or one a GPU."""
    if kind == "goals":
        return "\n".join(goals(gpu) for name in names for gpu in (gpus() if name == "gpus" else [name]))
    ones = {"cpu": cpu, "instructions": instructions, "counters": counter_tables.block,
            "cost": benchmark_tables.cost, "checks": benchmark_tables.checks, "speed": benchmark_tables.speed,
            "sanitizers": sanitizer_table.block, "finding": sanitizer_table.finding,
            "exercises": exercises_table.block}  # fmt: skip
    if one := ones.get(kind):
        return "\n".join(one(name) for name in names)
    if kind == "predictions":
        return "\n".join(prediction(name) for given in names for [name] in for_each_gpu([given]))
    return "\n".join(table(each) for each in for_each_gpu(names))


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("tables: want nothing, or --check")
    pages = [ROOT / "README.md", *sorted(ROOT.glob("chapters/*/README.md")), *sorted(ROOT.glob("docs/*.md")),
             ROOT / "exercises" / "README.md"]  # fmt: skip
    blocks = stale = 0
    for page in pages:
        text = page.read_text()
        here = len(BLOCK.findall(text))
        if here != len(FIRST_LINE.findall(text)):
            sys.exit(f"tables: {page.relative_to(ROOT)}: a table's first line without its last")
        blocks += here
        fresh = BLOCK.sub(lambda m: m[1] + block(m[2], m[3].split()) + m[4], text)
        if fresh != text:
            stale += 1
            print(f"{page.relative_to(ROOT)}: {'stale' if check else 'rewritten'}")
            if not check:
                page.write_text(fresh)
    print(f"{blocks} tables on {len(pages)} pages, {stale} pages {'stale' if check else 'rewritten'}")
    if blocks == 0:
        sys.exit("tables: no table found on any page")
    return 1 if check and stale else 0
