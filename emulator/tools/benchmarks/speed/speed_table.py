"""How fast the emulator is, as bench_speed.py measured it: a report as a table, in full or in a line for each kernel
and size."""

import statistics

KERNELS = {"sgemv": "SGEMV, a thread a row", "gemm16": "product in tiles of 16", "gemm32": "product in tiles of 32"}
SHORT = {"sgemv": "SGEMV", "gemm16": "tiles of 16", "gemm32": "tiles of 32"}
SIDES = {
    "fast": "emulator, fast",
    "look": "emulator, `--look`, nothing recorded",
    "recorded": "emulator, `--look`, recording",
    "pocl": "PoCL",
    "numba": "Numba's simulator",
}


def multiply_adds(kernel, size):
    return size**2 if kernel == "sgemv" else size**3


def significant(value):
    """Three digits, and no exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def ratio(times, others):
    """Median, least and greatest of the ratios of runs that took turns."""
    if not times or len(times) != len(others):
        raise ValueError("runs without a counterpart")
    ratios = [time / other for time, other in zip(times, others)]
    return statistics.median(ratios), min(ratios), max(ratios)


def range_text(parts):
    middle, least, greatest = map(significant, parts)
    return f"{middle} ({least} … {greatest})"


def row(result, side, clock):
    """One line of the table: a kernel, a size, and what ran it."""
    times = result["sides"][side][clock]
    work = multiply_adds(result["kernel"], result["size"])
    cells = [KERNELS[result["kernel"]], f"{result['size']:,}", SIDES[side], significant(statistics.median(times)),
             f"{significant(min(times))} … {significant(max(times))}",
             significant(statistics.median(times) / work * 1e6)]  # fmt: skip
    for other in ("pocl", "fast"):
        there = side != other and other in result["sides"]
        cells.append(range_text(ratio(times, result["sides"][other][clock])) if there else "–")
    return cells


def table(report, clock="milliseconds"):
    """The lines of the table of one report; `clock` may also be processor_milliseconds."""
    head = ["kernel", "size", "who", "median ms", "least … most", "ns a multiply-add", "× PoCL", "× fast"]
    lines = ["| " + " | ".join(head) + " |", "|---|---:|---|" + "---:|" * 5]
    for result in report["results"]:
        for side in SIDES:
            if side in result["sides"]:
                lines.append("| " + " | ".join(row(result, side, clock)) + " |")
    return "\n".join([*lines, "", below(report, clock)]) + "\n"


def two_digits(value):
    """Two digits are enough where the runs differ in the second."""
    if value >= 10:
        return f"{float(f'{value:.1e}'):,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def short_range(parts):
    middle, least, greatest = map(two_digits, parts)
    return f"{middle} ({least}…{greatest})"


def short_row(result, clock):
    """A kernel and a size: how long the fast program takes, and what the others take beside it."""
    sides = {name: times[clock] for name, times in result["sides"].items()}
    ours = sides["fast"]
    cells = [f"{SHORT[result['kernel']]}, {result['size']:,}", two_digits(statistics.median(ours))]
    cells.append(short_range(ratio(ours, sides["pocl"])) if "pocl" in sides else "–")
    for name in ("look", "recorded", "numba"):
        cells.append(short_range(ratio(sides[name], ours)) if name in sides else "–")
    return cells


def short_table(report, clock="milliseconds"):
    """The same in a line for each kernel and size."""
    head = ["kernel, size", "ms", "PoCL = 1", "`--look`", "recording", "Numba"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(short_row(result, clock)) + " |" for result in report["results"]]
    return "\n".join([*lines, "", below(report, clock)]) + "\n"


def below(report, clock):
    """What is under a table: what was measured, and where."""
    repeat = min(len(side[clock]) for result in report["results"] for side in result["sides"].values())
    what = "time on the wall" if clock == "milliseconds" else "time of all processors together"
    others = [f"{name} {report[key]}" for key, name in (("pocl", "PoCL"), ("numba", "Numba")) if report[key]]
    return ", ".join([f"Kernels alone, {what}, {repeat} runs of each in turn; {report['processor']}",
                      f"{report['cores']} cores", report["compiler"], *others]) + "."  # fmt: skip
