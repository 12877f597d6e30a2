"""What the emulator costs, and how fast it is: tables.py puts it between

    <!-- cost: emulator/cost -->        <!-- checks: emulator/checks -->        <!-- speed: emulator/speed -->
    <!-- end of cost -->                <!-- end of checks -->                  <!-- end of speed -->

from what the programs of emulator/tools/benchmarks measured: recording (cost.cu), recording and checks against Oclgrind
(bench_checks.py), speed beside PoCL and Numba's simulator (bench_speed.py). The latter two know how to show a report as
a table.
"""

import json
import math
import sys

from places import RESULTS

import checks_table  # isort: skip (places says where they are)
import speed_table  # isort: skip

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(accesses):
    """The power of ten that a number of accesses is about."""
    return round(math.log10(accesses))


def cost_table(report):
    """A line a kernel; nanoseconds an access for each number of accesses, and the most memory in use."""
    kernels = {}
    for result in report["results"]:
        kernels.setdefault(result["kernel"], {})[power(result["accesses"])] = result
    powers = sorted({accesses for results in kernels.values() for accesses in results})
    head = ["kernel", *(f"10{str(p).translate(SUPERSCRIPTS)} accesses" for p in powers), "memory at most"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for kernel, results in kernels.items():
        times = [f"{results[p]['ns_an_access']:.0f} ns" if p in results else "–" for p in powers]
        memory = max(result["peak_megabytes"] for result in results.values())
        lines.append(f"| {kernel} | " + " | ".join(times) + f" | {memory:.0f} MB |")
    below = f"Time of one core for an access of one thread; {report['processor']}, {report['compiler']}."
    return "\n".join([*lines, "", below]) + "\n"


def block(table, name, results=RESULTS):
    """What belongs between the two comments: what a table makes of a file."""
    path = results / f"{name}.json"
    try:
        return table(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        sys.exit(f"tables: {path.name}: {error!r}")


def cost(name, results=RESULTS):
    return block(cost_table, name, results)


def checks(name, results=RESULTS):
    return block(checks_table.table, name, results)


def speed(name, results=RESULTS):
    """In a line for each kernel and size, by the clock that the file names."""
    return block(lambda report: speed_table.short_table(report, report["clock"]), name, results)
