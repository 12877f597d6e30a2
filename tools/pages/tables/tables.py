"""Writes the result tables of the pages from the files in docs/results.

    python3 tools/pages tables            rewrites the pages
    python3 tools/pages tables --check    changes nothing: the exit status is 1 if a page says something else than the
                                          files

A table is in a page between two comments, and nobody types what is between them:

    <!-- results: nvidia-h200/01_global nvidia-h200/02_coalesced -->
    ...
    <!-- end of results -->

The names are files under docs/results/, each written by a chapter's program with --json, or by
tools/measure/counters/kernel_counters.py. `file:first,second` takes only the kernels named so.

What ./course measure wrote is one file per GPU, from which a name picks chapters, a shape, and how the
cache was, where that is not cold:

    nvidia-h200#06_unroll,07_cublas:cublas-row-major@16384x16384
    nvidia-h200#00_first_kernel@20971520
    nvidia-h200#06_unroll:rows,06_unroll:float4@2048x2048/hot
    nvidia-h200#08_gemm_tiling@4096x4096x4096

(A shape of three extents, m, n and k, is a product of matrices.)

The rows come in the order of the name, a chapter's in the order of the file. In either form a kernel
is named in lower case, with a dash for whatever is not a letter or digit: "warp per row, float4" is
warp-per-row-float4. One table holds one GPU, one shape, one state of the cache. `gpus` in place of a
GPU stands for all of them: one table for each whose file has the shape.

    <!-- shapes: gpus#07_cublas:cublas-row-major@2048x2048/hot gpus#07_cublas:cublas-row-major@16384x16384 -->
    ...
    <!-- end of shapes -->

holds rows of several shapes, each with its own, of one GPU.

    <!-- clocks: gpus#22_hopper:ours@1024x1024x1024 gpus#22_hopper:ours@8192x8192x8192 -->
    ...
    <!-- end of clocks -->

holds how a kernel and the library compare at several shapes, and the clock that the GPU had meanwhile,

    <!-- predictions: gpus#06_unroll@16384x16384 -->
    ...
    <!-- end of predictions -->

holds what a kernel has in flight, and so may reach by Little's law, against what it reached.

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

    <!-- shared: emulator/19_gemm_registers -->
    ...
    <!-- end of shared -->

holds what products of matrices ask of shared memory, as the emulator counts it, and what that allows them.

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

    <!-- mistakes: nvidia-h200 -->
    ...
    <!-- end of mistakes -->

holds what became of Hopper's mistakes on that GPU: see mistakes_table.py.

    <!-- exercises: nvidia-h200 -->
    ...
    <!-- end of exercises -->

holds which wrong solutions of the exercises are caught on that GPU: see exercises_table.py.

    <!-- hub: emulator/hub -->
    ...
    <!-- end of hub -->

holds how long a class takes on a hub, alone and beside students who harm: see hub_table.py.

    <!-- turns: nvidia-h200/28_attention_turns -->
    ...
    <!-- end of turns -->

holds how fast attention is beside cuDNN's: see turns_table.py.

    <!-- notes: emulator/10_reduction -->
    ...
    <!-- end of notes -->

holds what a chapter's program says below its table.

    <!-- distribution: gpus#07_cublas:ours-row-major,ours-column-major -->
    ...
    <!-- end of distribution -->

    <!-- worst: gpus#07_cublas -->
    ...
    <!-- end of worst -->

hold what kernels reached at shapes drawn at random: see drawn_tables.py.

    <!-- list: exercises -->
    ...
    <!-- end of list -->

holds all exercises, by chapter: see exercise_list.py.
"""

import json
import re
import sys

import benchmark_tables
import counter_tables
import drawn_tables
import exercise_list
import exercises_table
import hub_table
import mistakes_table
import sanitizer_table
import turns_table
from places import ROOT, chapter_pages
from result_tables import clocks, cpu, instructions, lines_of, notes, prediction, shapes, shared, table
from results_files import for_each_gpu, gpus, holds, load, number, size

GOALS = ROOT / "docs" / "performance_goals.json"
KINDS = ("results|shapes|predictions|goals|cpu|instructions|counters|cost|checks|speed|sanitizers|finding|mistakes|exercises|"
         "hub|notes|shared|turns|distribution|worst|clocks|list")  # fmt: skip
BLOCK = re.compile(rf"^(<!-- ({KINDS}): ([^>]+?) -->\n).*?^(<!-- end of \2 -->)", re.DOTALL | re.MULTILINE)
FIRST_LINE = re.compile(rf"^<!-- (?:{KINDS}):", re.MULTILINE)


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
            "mistakes": mistakes_table.block, "exercises": exercises_table.block, "list": exercise_list.block,
            "hub": hub_table.block, "notes": notes, "shared": shared, "turns": turns_table.block}  # fmt: skip
    if one := ones.get(kind):
        return "\n".join(one(name) for name in names)
    if kind in ("distribution", "worst"):
        return drawn_tables.block(kind, names)
    if kind == "predictions":
        return "\n".join(prediction(name) for given in names for [name] in for_each_gpu([given]))
    make = {"shapes": shapes, "clocks": clocks}.get(kind, table)
    return "\n".join(make(each) for each in for_each_gpu(names))


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("tables: want nothing, or --check")
    pages = [ROOT / "README.md", *chapter_pages(), *sorted(ROOT.glob("docs/*.md")),
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
