#!/usr/bin/env python3
"""The page on profiling names every metric that the tools read, and spells it as they do; and the programs and kernels
that its commands ask for are there: profiling_page_test.py"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path += [str(ROOT / "tools" / "measure" / "counters"), str(ROOT / "emulator" / "evidence" / "counters")]
import kernel_counters  # noqa: E402
import nsight_counters  # noqa: E402

COMMAND = re.compile(r"^(?:ncu|nsys profile|tools/measure/counters/kernel_counters\.py) .*", re.MULTILINE)
METRIC = re.compile(r"`((?:dram|gpu|l1tex|launch|lts|sm|smsp)__[\w.]+)`")


def differences(page, read):
    """What only one of the two names: the page in backticks, or the tools."""
    named = set(METRIC.findall(page))
    yield from (f"the tools read {metric}, and the page does not name it" for metric in sorted(read - named))
    yield from (f"the page names {metric}, and no tool reads it" for metric in sorted(named - read))


def not_there(page):
    """What a command asks for and nobody has: a chapter's program, or a kernel of that chapter."""
    for command in COMMAND.findall(page):
        chapter = re.search(r"build/cuda/chapters/(\w+)", command)
        wanted = re.search(r"regex:(\S+)|kernel_counters\.py \S+ (\S+)", command)
        folder = ROOT / "chapters" / (chapter[1] if chapter else "none")
        if not folder.is_dir():
            yield f"no chapter's program: {command}"
        elif wanted and not re.search(f"__global__ void {wanted[1] or wanted[2]}", sources(folder)):
            yield f"no such kernel in {folder.name}: {command}"


def sources(folder):
    return "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".cu", ".hpp"))


def main():
    read = {*kernel_counters.METRICS.values(), *nsight_counters.METRICS.values()}
    read.update(metric for metrics in nsight_counters.OPTIONAL_METRICS.values() for metric in metrics)
    read.update(nsight_counters.FURTHER_METRICS.values())
    read.update(metric for metric, _ in nsight_counters.GENERIC_METRICS.values())
    page = (ROOT / "docs" / "profiling.md").read_text(encoding="utf-8")
    faults = [*differences(page, read), *not_there(page)]
    print("\n".join(faults) or f"profiling.md names all {len(read)} metrics that the tools read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
