"""What recording costs, as common/emulator/tests/cost.cu measured it: tools/page_tables.py puts it between

    <!-- cost: emulator/cost -->
    <!-- end of cost -->

A line a kernel; nanoseconds an access for each number of accesses, and the most memory in use.
"""

import json
import math
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "results"


def power(accesses):
    """The power of ten that a number of accesses is about."""
    return round(math.log10(accesses))


def block(name, results=RESULTS):
    """What belongs between the two comments."""
    path = results / f"{name}.json"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        kernels = {}
        for result in report["results"]:
            kernels.setdefault(result["kernel"], {})[power(result["accesses"])] = result
        processor, compiler = report["processor"], report["compiler"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"page_tables: {path.name}: {error!r}")
    powers = sorted({accesses for results in kernels.values() for accesses in results})
    head = ["kernel", *(f"10<sup>{accesses}</sup> accesses" for accesses in powers), "memory at most"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for kernel, results in kernels.items():
        times = [f"{results[p]['ns_an_access']:.0f} ns" if p in results else "–" for p in powers]
        memory = max(result["peak_megabytes"] for result in results.values())
        lines.append(f"| {kernel} | " + " | ".join(times) + f" | {memory:.0f} MB |")
    return "\n".join([*lines, "", f"Time of one core for an access of one thread; {processor}, {compiler}."]) + "\n"
