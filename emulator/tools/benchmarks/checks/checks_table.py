"""What recording and checks cost against Oclgrind, as bench_checks.py measured it: a report as a table.

A line a kernel: accesses, nanoseconds an access on both sides, and how many times as fast ours is.
"""

import statistics

SIDES = ("emulator", "oclgrind")
NAMES = {"saxpy": "SAXPY", "sgemv": "SGEMV, one row per thread", "gemm": "product of matrices in tiles",
         "reduction": "reduction in shared memory", "stencil": "stencil of three points in tiles"}  # fmt: skip


def largest_start(report):
    """The largest part of a run that the start of its process takes, on either side."""
    return max(
        statistics.median(report["start"][side]["processor_seconds"])
        / statistics.median(result[side]["processor_seconds"])
        for side in SIDES
        for result in report["results"]
    )


def row(result):
    ours, theirs = (result[side]["processor_seconds"] for side in SIDES)
    if not ours or len(ours) != len(theirs):
        raise ValueError(f"{result['kernel']}: runs without a counterpart")
    cells = [f"{NAMES[result['kernel']]}, {result['size']:,} {result['unit']}", f"{result['accesses']:,}"]
    for times in (ours, theirs):
        cells.append(f"{statistics.median(times) / result['accesses'] * 1e9:,.0f} ns")
    ratios = sorted(other / own for own, other in zip(ours, theirs))
    cells.append(f"{statistics.median(ratios):.0f} ({ratios[0]:.0f} … {ratios[-1]:.0f})")
    return cells


def table(report):
    """The lines of the table of one report."""
    checks = "recording and checks" if report["checks"] else "recording"
    head = ["kernel", "accesses", f"emulator, {checks}", f"Oclgrind {report['oclgrind']}", "times as fast"]
    rows = [head, ["---"] + ["---:"] * (len(head) - 1)] + [row(result) for result in report["results"]]
    lines = ["|" + "|".join(cells) + "|" if cells[0] == "---" else "| " + " | ".join(cells) + " |" for cells in rows]
    repeat = len(report["results"][0]["emulator"]["processor_seconds"])
    starts = [1000 * statistics.median(report["start"][side]["processor_seconds"]) for side in SIDES]
    below = (
        f"Time of one core for an access of one thread, median of {repeat} runs, and in brackets the smallest and the "
        f"largest ratio of two runs in turn; whole processes, whose start ({starts[0]:.0f} ms and {starts[1]:.0f} ms) "
        f"is at most {100 * largest_start(report):.1f} % of a run; {report['processor']}, {report['compiler']}, "
        f"`oclgrind {' '.join(report['oclgrind_options'])}`."
    )
    return "\n".join([*lines, "", below]) + "\n"
