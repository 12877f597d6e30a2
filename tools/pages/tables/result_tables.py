"""The tables of what was measured and counted: their rows, their heads and the line below each."""

import math
import re
import sys

from results_files import load, number, read, size


def ceiling_of(report):
    """What the rows are held against: a rate, its name in the files and its unit."""
    computes = report["ceiling"]["name"].startswith(("fma", "mma", "wgmma"))
    rate, unit = ("gflop_per_s", "GFLOP/s") if computes else ("gb_per_s", "GB/s")
    return report["ceiling"][rate], rate, unit


def times(report, row):
    """What matters comes first: on a phone the last columns are scrolled to."""
    ratio = row.get("ratio_to_library", row.get("ratio_to_cublas"))
    return [
        row["kernel"],
        f"{row['median_ms']:.4f}",
        number(row[ceiling_of(report)[1]]) if row[ceiling_of(report)[1]] else "–",  # an allocation moves nothing
        f"{row['percent_of_ceiling']:.1f} %" if row["percent_of_ceiling"] else "–",
        *([f"{ratio:.2f}".replace("nan", "–")] if ratio is not None else []),
        f"{row['p10_ms']:.4f} … {row['p90_ms']:.4f}",
    ]


def traffic(report, row):
    requests, sectors = row["global_load_requests"], row["global_load_sectors"]
    per_request = number(sectors / requests, 2) if requests else "–"  # all may come by tensor maps
    cells = [row["kernel"], number(requests), number(sectors), per_request]
    if "inner" in report:
        cells.append(number(2 * sectors / row["operations"], 4))
    return cells + [number(row["global_store_sectors"]), number(row.get("shared_bank_conflicts", 0))]


def counters(report, row):
    return [
        kernel_name(row["kernel"]),
        number(row["global_load_requests"]),
        number(row["global_load_sectors"]),
        number(row["global_store_sectors"]),
        f"{row['l1_hit_percent']:.1f} %",
        f"{row['memory_bytes_read'] / 1e9:.2f} GB",
        f"{row['warps_active_percent']:.1f} %",
        number(row["registers_a_thread"]),
    ]


# Where the program's name for a kernel is not the kernel's own.
PROGRAM_NAMES = {
    "sgemv_four_rows": "rows",
    "sgemv_split<float4, 1024>": "split warps",
    "sgemv_split_atomics<float4>": "split atomics",
    "sgemv_split<float4, 256>": "split two passes, first",
    "sgemv_add_pieces": "split two passes, second",
    "sgemv_warp_a_row<float>": "warp per row",
    "sgemv_block_a_row<float4>": "block per row",
}


def kernel_name(kernel):
    """The name of a kernel that was profiled: the program's, or without what all have, and with its template arguments as
    words."""
    if kernel in PROGRAM_NAMES:
        return PROGRAM_NAMES[kernel]
    if not kernel.startswith(("sgemv_", "gemm_")):
        return "cuBLAS"
    name = re.sub(r"^s?gem[vm]_", "", kernel).replace("_", " ").replace("<", ", ").rstrip(">")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def product_counters(report, row):
    """What a GPU counted of a product of matrices. A multiply-add of a warp is 32 of single lanes."""
    multiply_adds = report["rows"] * report["cols"] * report["inner"]
    return [
        kernel_name(row["kernel"]),
        number(row["global_load_sectors"] / multiply_adds, 4),
        f"{row['l1_hit_percent']:.1f} %",
        f"{row['memory_bytes_read'] / 1e9:.2f} GB",
        number(32 * row["shared_load_instructions"] / multiply_adds, 2),
        f"{row['warps_active_percent']:.1f} %",
        number(row["registers_a_thread"]),
        number(row["global_load_requests"]),
        number(row["global_load_sectors"]),
    ]


PRODUCT_COUNTERS = ["kernel", "sectors per multiply-add", "found in level 1", "read from memory",
                    "shared loads per multiply-add", "warps active", "registers", "load requests",
                    "load sectors"]  # fmt: skip
TABLES = {
    "cuda": (times, ["kernel", "median ms", "GB/s", "of ceiling", "10 % … 90 %"]),
    "measure": (times, ["kernel", "median ms", "GB/s", "of ceiling", "× cuBLAS", "10 % … 90 %"]),
    "emulator": (
        traffic,
        ["kernel", "load requests", "load sectors", "sectors per request", "store sectors"],
    ),
    "nsight": (
        counters,
        ["kernel", "load requests", "load sectors", "store sectors", "found in level 1",
         "read from memory", "warps active", "registers"],
    ),
}  # fmt: skip


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
    ceiling = f"{first['ceiling']['name']} ceiling in that run {range_text} {ceiling_of(first)[2]}"
    own = own_ceiling(first)
    if own:
        ceiling = f"the ceiling is the first row's, {number(own[ceiling_of(first)[1]])} {ceiling_of(first)[2]}"
    return f"{first['device']}, {shape}{hot}, {samples:,} samples; {ceiling}."


def own_ceiling(report):
    """A chapter's first row, if it is the ceiling of all: a kernel of nothing but the operations that bound them."""
    first = report["results"][0]
    return first if report["backend"] == "cuda" and first["percent_of_ceiling"] == 100 else None


def beside_cublas(report):
    """Says in each row of a chapter's file how many times as fast as the row of cuBLAS it is, if there is one."""
    library = [row["median_ms"] for row in report["results"] if row["kernel"] == "cuBLAS"]
    for row in report["results"] if library else []:
        other_work = row is own_ceiling(report)
        row["ratio_to_cublas"] = math.nan if other_work else library[0] / row["median_ms"]
    return bool(library)


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
    if reports[0].get("inner") and row_cells is counters:
        row_cells, head = product_counters, PRODUCT_COUNTERS
    if reports[0].get("inner") and row_cells is traffic:
        head = head[:4] + ["sectors per multiply-add"] + head[4:]
    elif row_cells is times:
        head = head[:2] + [ceiling_of(reports[0])[2]] + head[3:]
        if reports[0]["backend"] == "cuda" and all([beside_cublas(report) for report in reports]):
            head = head[:4] + ["× cuBLAS"] + head[4:]
    if reports[0]["backend"] == "measure":  # most vector kernels have no counterpart in a library here
        libraries = {row.get("library", row["ratio_to_cublas"] and "cuBLAS") for r in reports for row in r["results"]}
        if len(libraries) > 1:
            sys.exit(f"tables: no two libraries in one column: {' '.join(names)}")
        [library] = libraries
        head = [f"× {library}" if name == "× cuBLAS" else name for name in head if library or name != "× cuBLAS"]
    rows = [row_cells(report, row) for report in reports for row in report["results"]
            if row_cells is not traffic or row["global_load_requests"] is not None]  # fmt: skip
    if row_cells is traffic and any(cells[-1] != "0" for cells in rows):  # a column of zeros says nothing
        head = head + ["bank conflicts"]
    elif row_cells is traffic:
        rows = [cells[:-1] for cells in rows]
    return lines_of(head, rows, note(reports))


def library_of(row):
    """Whom a row was measured in turns with, if not with itself."""
    return row.get("library") or (row.get("ratio_to_cublas") and "cuBLAS")


def ratio_of(row):
    return row.get("ratio_to_library") or row.get("ratio_to_cublas")


def extents(report):
    """A shape in few letters: a row may break before a sign of multiplication, and nowhere else."""
    if "inner" not in report or report["inner"] is None:
        return size(report)
    sides = [number(report[side]) for side in ("rows", "cols", "inner")]
    return f"{sides[0]}³" if len(set(sides)) == 1 else " ×\u00a0".join(sides)


def over_shapes(measured, head, rows, below):
    """A table with a line for each kernel and shape. The name of an only kernel is below."""
    products = any(report.get("inner") for report, _ in measured)
    head = ["call", "m ×\u00a0n ×\u00a0k" if products else "shape", *head]
    rows = [[row["kernel"], extents(report) + (", in the cache" if report.get("cache") == "hot" else ""), *cells]
            for (report, row), cells in zip(measured, rows)]  # fmt: skip
    names = {cells[0] for cells in rows}
    if not products or len(names) > 1:
        return lines_of(head, rows, below, words=2)
    return lines_of(head[1:], [cells[1:] for cells in rows], f"`{names.pop()}` on {below}", words=1)


def shapes(names):
    """The lines of one table over several shapes: what a library does well, and at which extents."""
    reports = [read(name) for name in names]
    rates = {ceiling_of(report)[2] for report in reports}
    if len(rates) != 1 or len({report["device"] for report in reports}) != 1:
        sys.exit(f"tables: no two GPUs in one table, nor GB/s beside GFLOP/s: {' '.join(names)}")
    measured = [(report, row) for report in reports for row in report["results"]]
    libraries = {library_of(row) for _, row in measured}
    # Beside itself alone a call has nothing to be compared with.
    compared = len(libraries) == 1 and None not in libraries and {row["kernel"] for _, row in measured} != libraries
    rows = []
    for report, row in measured:
        _, median, rate, percent, *_, spread = times(report, row)
        rows.append([median, rate, percent, *([f"{ratio_of(row):.2f}"] if compared else []), spread])
    head = ["median ms", rates.pop(), "of ceiling", *([f"× {libraries.pop()}"] if compared else []), "10 % … 90 %"]
    ceilings = {report["ceiling"]["name"]: ceiling_of(report) for report in reports}
    below = (f"{reports[0]['device']}, {min(row['samples'] for _, row in measured):,} samples or more; ceilings in that "
             "run: " + ", ".join(f"{name} {number(rate)} {unit}" for name, (rate, _, unit) in ceilings.items()) +
             ".")  # fmt: skip
    return over_shapes(measured, head, rows, below)


def clocks(names):
    """The lines of one table over several shapes: which of two was faster, and what the GPU did meanwhile."""
    reports = [read(name) for name in names]
    measured = [(report, row) for report in reports for row in report["results"]]
    libraries = {library_of(row) for _, row in measured}
    if len(libraries) != 1 or len({report["device"] for report in reports}) != 1:
        sys.exit(f"tables: two GPUs, or two libraries: {' '.join(names)}")
    rows = [[number(row["gflop_per_s"]), f"{ratio_of(row):.2f}", number(row["clocks"]["sm_mhz_median"]),
             number(row["clocks"]["sm_mhz_min"]), number(row["clocks"]["power_w_max"])]
            for _, row in measured]  # fmt: skip
    head = ["GFLOP/s", f"× {libraries.pop()}", "MHz, median", "least", "W, most"]
    samples = min(row["samples"] for _, row in measured)
    below = (f"{reports[0]['device']}, {samples:,} samples or more; the clock of its multiprocessors and its power, as "
             "NVML says them.")  # fmt: skip
    return over_shapes(measured, head, rows, below)


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
        sys.exit(f"tables: {name}: no kernel says what it has in flight")
    head = ["kernel", "bytes in flight", "Little's law: GB/s", "measured GB/s", "measured of predicted"]
    return lines_of(
        head,
        rows,
        f"{report['device']}, {size(report)}; memory answers after {number(latency)} ns, the read ceiling is "
        f"{number(ceiling)} GB/s: it takes {number(ceiling * latency)} bytes in flight.",
    )


def cpu(name):
    """The lines of one table: what ran on the host's processor. `one+other` are two sizes, side by side."""
    if "+" in name:
        return cpu_sizes([load(one)["cpu"] for one in name.split("+")])
    report = load(name)["cpu"]
    rows = []
    for row in report["results"]:
        if not row["verified"]:
            sys.exit(f"tables: an unverified result: {row['kernel']}")
        ratio = row["ratio_to_openblas"]
        rows.append([row["kernel"], number(row["threads"]), number(row["median_ms"], 1), number(row["gflop_per_s"], 2),
                     f"{report['results'][0]['median_ms'] / row['median_ms']:.1f}",
                     "–" if ratio is None else f"{ratio:.3f}"])  # fmt: skip
    head = ["product", "threads", "median ms", "GFLOP/s", f"× {rows[0][0]}", "× OpenBLAS"]
    samples = min(row["samples"] for row in report["results"])
    below = f"{report['device']}, {report['threads']} threads at most, {size(report)}, {samples:,} samples or more."
    return lines_of(head, rows, below)


def cpu_sizes(reports):
    """What the same processor took for several sizes, and how much of the time is the size's doing."""
    first = reports[0]
    if len({(report["device"], tuple(row["kernel"] for row in report["results"])) for report in reports}) != 1:
        sys.exit("tables: no two processors in one table, and no two lists of products")
    rows = []
    for column in zip(*(report["results"] for report in reports)):
        if not all(row["verified"] for row in column):
            sys.exit(f"tables: an unverified result: {column[0]['kernel']}")
        rows.append([column[0]["kernel"], number(column[0]["threads"]), *(number(row["median_ms"], 1) for row in column),
                     *(number(row["gflop_per_s"], 2) for row in column)])  # fmt: skip
    sizes = [number(report["rows"]) for report in reports]
    head = ["product", "threads", *(f"ms, N = {one}" for one in sizes), *(f"GFLOP/s, N = {one}" for one in sizes)]
    samples = min(row["samples"] for report in reports for row in report["results"])
    return lines_of(head, rows, f"{first['device']}, {first['threads']} threads at most, matrices of N × N, {samples:,} "
                    "samples or more.")  # fmt: skip


def shared(name):
    """The lines of one table: what products of matrices ask of shared memory, and what it allows them at most. It serves
    a wavefront a clock, in which a multiprocessor does four multiply-adds of warps."""
    report = load(name)
    rows = []
    for row in report["results"]:
        multiply_adds = row["operations"] / 2 / 32
        loads, stores = row["shared_load_wavefronts"], row["shared_store_wavefronts"]
        rows.append([row["kernel"], *(number(count / multiply_adds, 3) for count in
                     (row["shared_load_instructions"], loads, stores, loads + stores)),
                     f"{100 * multiply_adds / 4 / (loads + stores):.0f} %"])  # fmt: skip
    head = ["kernel", "loads per multiply-add", "their wavefronts", "wavefronts of stores", "both",
            "shared memory allows, of ceiling"]  # fmt: skip
    return lines_of(head, rows, f"Counted by the emulator, {size(report)}; for each multiply-add of a warp.")


def instructions(name):
    """The lines of one table: registers and instructions, from machine code or, without that, from PTX."""
    report = load(name)
    machine = report["code"] == "sass"
    counted = list(report["kernels"][0]["loop"]["counts"])
    waits = ["waits for registers"] if all("register_waits" in kernel["loop"] for kernel in report["kernels"]) else []
    rows = []
    for kernel in report["kernels"]:
        loop = kernel["loop"]
        counts = [kernel["registers"], *(loop["counts"][c] for c in counted), loop["instructions"]]
        a_multiply_add = number(loop["instructions"] / loop["multiply_adds"], 2)
        clocks = [number(loop["register_waits"])] if waits else []
        rows.append([f"`{kernel['kernel']}`", *map(number, counts), a_multiply_add, *clocks])
    of_one = "instructions per multiply-add" if counted[0] == "FFMA" else f"instructions for each {counted[0]}"
    head = ["kernel", "registers", *counted, "all", of_one, *waits]
    code = f"machine code for {report['architecture']}" if machine else "PTX, no disassembler was there"
    return lines_of(
        head, rows, f"nvcc {report['nvcc']}, {code}: the innermost loop that multiplies and adds, one pass of it."
    )


def notes(name):
    """What a chapter's program says below its table, as it printed it."""
    report = load(name)
    if not report.get("notes"):
        sys.exit(f"tables: {name}: its program had nothing to say")
    where = "the emulator" if report["backend"] == "emulator" else report["device"]
    return "```text\n" + "\n".join(report["notes"]) + f"\n```\n\nOn {where}, {size(report)}.\n"
