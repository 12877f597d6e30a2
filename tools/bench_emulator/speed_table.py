#!/usr/bin/env python3
"""How fast the emulator is, as bench.py measured it: writes the table of docs/emucc.md, between

    <!-- speed: emulator/speed -->
    <!-- end of speed -->

from docs/results/emulator/speed.json. With --check nothing is written, and the exit status is 1 if the page says
something else than the file.
"""

import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "emucc.md"
RESULTS = ROOT / "docs" / "results"
BLOCK = re.compile(r"^(<!-- speed: ([^>\s]+) -->\n).*?^(<!-- end of speed -->)", re.DOTALL | re.MULTILINE)

KERNELS = {"sgemv": "SGEMV, a thread a row", "gemm16": "product in tiles of 16", "gemm32": "product in tiles of 32"}
SHORT = {"sgemv": "SGEMV", "gemm16": "tiles of 16", "gemm32": "tiles of 32"}
SIDES = {
    "plain": "emulator, built for running",
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
    """One line of the table: a kernel, a size, and who ran it."""
    times = result["sides"][side][clock]
    work = multiply_adds(result["kernel"], result["size"])
    cells = [KERNELS[result["kernel"]], f"{result['size']:,}", SIDES[side], significant(statistics.median(times)),
             f"{significant(min(times))} … {significant(max(times))}",
             significant(statistics.median(times) / work * 1e6)]  # fmt: skip
    for other in ("pocl", "plain"):
        there = side != other and other in result["sides"]
        cells.append(range_text(ratio(times, result["sides"][other][clock])) if there else "–")
    return cells


def table(report, clock="milliseconds"):
    """The lines of the table of one report; `clock` may also be processor_milliseconds."""
    head = ["kernel", "size", "who", "median ms", "least … most", "ns a multiply-add", "× PoCL", "× built for running"]
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
    """A kernel and a size: how long the program built for running takes, and what the others take beside it."""
    sides = {name: times[clock] for name, times in result["sides"].items()}
    ours = sides["plain"]
    cells = [f"{SHORT[result['kernel']]}, {result['size']:,}", two_digits(statistics.median(ours))]
    cells.append(short_range(ratio(ours, sides["pocl"])) if "pocl" in sides else "–")
    for name in ("look", "recorded", "numba"):
        cells.append(short_range(ratio(sides[name], ours)) if name in sides else "–")
    return cells


def short_table(report, clock="milliseconds"):
    """The same in a line for each kernel and size, for the page."""
    head = ["kernel, size", "ms", "PoCL = 1", "`--look`", "recording", "Numba"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(short_row(result, clock)) + " |" for result in report["results"]]
    return "\n".join([*lines, "", below(report, clock)]) + "\n"


def below(report, clock):
    """What stands under a table: what was measured, and where."""
    repeat = min(len(side[clock]) for result in report["results"] for side in result["sides"].values())
    what = "time on the wall" if clock == "milliseconds" else "time of all processors together"
    others = [f"{name} {report[key]}" for key, name in (("pocl", "PoCL"), ("numba", "Numba")) if report[key]]
    return ", ".join([f"Kernels alone, {what}, {repeat} runs of each in turn; {report['processor']}",
                      f"{report['cores']} cores", report["compiler"], *others]) + "."  # fmt: skip


def block(name, results=RESULTS):
    """What belongs between the two comments."""
    path = results / f"{name}.json"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        return short_table(report, report["clock_of_the_page"])
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        sys.exit(f"speed_table: {path.name}: {error!r}")


def fresh(text, results=RESULTS):
    """The page as it should be."""
    if not BLOCK.search(text):
        sys.exit("speed_table: the page has no place for the table")
    return BLOCK.sub(lambda match: match[1] + block(match[2], results) + match[3], text)


def main(given):
    if given not in ([], ["--check"]):
        print("speed_table: usage: speed_table.py [--check]", file=sys.stderr)
        return 2
    text = PAGE.read_text(encoding="utf-8")
    wanted = fresh(text)
    if text == wanted:
        return 0
    print(f"{PAGE.relative_to(ROOT)}: {'stale' if given else 'rewritten'}")
    if not given:
        PAGE.write_text(wanted, encoding="utf-8")
    return 1 if given else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
