#!/usr/bin/env python3
"""How fast kernels run in the emulator, beside PoCL and Numba's simulator of CUDA.

    emulator/tools/benchmarks/speed/bench_speed.py EMUCC [--numba PYTHON] [--repeat N] [--kernels NAME,NAME]
                                             [--sides NAME,NAME] [--clock wall|processor] [--out FILE] [--quick]
                                             [--limit SECONDS]

EMUCC is the emulator's compiler, as it was built or installed. A matrix times a vector, one thread per row, and a
product of matrices in tiles of 16 and of 32 run

    fast with fast kernels, as emucc makes them by default look with instrumented
    ones, which --look makes, but nothing is recorded recorded   with these, each
    access recorded pocl       the same kernels, line for line, in OpenCL C, on the
    processor by PoCL numba      the same algorithms in Python, in Numba's
    simulator

each with all the machine's cores as it likes, in a process of its own; processes take turns, A B C A B C … What counts
is the kernel alone, from the launch to its end, after one launch that does not count. A process launches several
times, as many as fill a moment, and its median is one run. Every process compares its result with what the processor
computes without any of them; one wrong element ends the benchmark. What is slow takes part in small sizes only: so
each ratio is one at equal size.

PoCL takes part if a program for OpenCL can be built and finds it (Debian, Ubuntu: pocl-opencl-icd and
ocl-icd-opencl-dev), Numba if a Python is given that has it (in a virtual environment: pip install numba).

    --repeat N      runs of each, 7 if not given
    --clock CLOCK   which of the two the table shows: time on the wall, or that of all processors together, which
                    says more on a machine that is busy with other things; files hold both
    --out FILE      writes all times as JSON
    --quick         tiny sizes, one run: to see that it works
    --limit SECONDS for one process, 300 if not given
"""

import os
import pathlib
import re
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path += [str(HERE), str(HERE.parent)]
import harness  # noqa: E402
import speed_table  # noqa: E402
from harness import Failure, must, run  # noqa: E402

# Kernel: sizes for all, for all but Numba, for what is fast and PoCL; and that of a quick run.
SIZES = {"sgemv": (256, 1000, 4000), "gemm16": (64, 256, 512), "gemm32": (64, 256, 512)}
QUICK = {"sgemv": 130, "gemm16": 17, "gemm32": 33}
SLOWEST = {"numba": 0, "look": 1, "recorded": 1}  # the largest of those sizes that they take part in
LAUNCHES = (20, 5, 2)
CLOCKS = {"wall": "milliseconds", "processor": "processor_milliseconds"}


class Side:
    """What runs kernels."""

    def __init__(self, name, command, environment=None, limit=300):
        self.name, self.command, self.limit = name, command, limit
        self.environment = harness.NO_SETTINGS | (environment or {})

    def launches(self, size_class):
        return 1 if SLOWEST.get(self.name) == size_class else LAUNCHES[size_class]

    def takes_part(self, size_class):
        return size_class <= SLOWEST.get(self.name, len(LAUNCHES))

    def run(self, kernel, size, launches):
        """One process: the medians of both clocks, in milliseconds."""
        command = [*self.command, kernel, str(size), str(launches)]
        done = must(command, self.limit, self.environment)[2]
        return medians(self.name, done.stdout, launches)


def medians(name, printed, launches):
    """What a process printed, one line per launch, as one time of each clock."""
    lines = [line.split() for line in printed.splitlines()]
    try:
        wall, processor = zip(*((float(first), float(second)) for first, second in lines))
    except ValueError:
        raise Failure(f"{name}: not two times a line: {printed.strip()[:60]}") from None
    if len(lines) != launches or min(wall) <= 0:
        raise Failure(f"{name}: want {launches} times: {printed.strip()[:60]}")
    return statistics.median(wall), statistics.median(processor)


def built_by_emucc(emucc, folder, limit):
    """The emulator's three sides."""
    for name, option in (("fast", []), ("look", ["--look"])):
        must([emucc, *option, HERE / "bench.cu", "-o", folder / name], limit)
    report = {"EMULATOR_REPORT": str(folder / "report.json")}
    return [Side("fast", [folder / "fast"], limit=limit), Side("look", [folder / "look"], limit=limit),
            Side("recorded", [folder / "look"], report, limit)]  # fmt: skip


def pocl(folder, limit):
    """PoCL's side and version; no side if it is not there."""
    compiler, program = os.environ.get("CXX") or "c++", folder / "bench_opencl"
    if not harness.can_build_opencl(compiler, folder, limit):
        return None, None
    # That much is there: a mistake in our own program is one now.
    must([compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", HERE / "bench_opencl.cpp", "-lOpenCL",
          "-o", program], limit)  # fmt: skip
    done = run([program, "--version"], limit)[2]
    if done.returncode == 77:
        return None, None
    version = re.search(r"PoCL (\S+)", done.stdout)
    if not version:
        raise Failure(f"{program.name} --version: {(done.stdout + done.stderr).strip()}")
    return Side("pocl", [program, HERE / "kernels.cl"], limit=limit), version[1]


def numba(python, limit):
    """The side of Numba's simulator, and its version."""
    script = HERE / "numba_kernels.py"
    simulator = {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    version = must([python, script, "--version"], limit, simulator)[2].stdout.strip()
    return Side("numba", [python, script], simulator, limit), version


def measure(sides, kernel, size, size_class, repeat):
    """A kernel's times at one size, of all sides that take part in it."""
    sides = [side for side in sides if side.takes_part(size_class)]
    times = harness.in_turn(sides, CLOCKS.values(), repeat,
                            lambda side: side.run(kernel, size, side.launches(size_class)))  # fmt: skip
    return {"kernel": kernel, "size": size, "sides": times}


def arguments(given):
    parser = harness.Parser("bench_speed", __doc__, SIZES, repeat=7, limit=300)
    parser.add_argument("emucc", type=pathlib.Path)
    parser.add_argument("--numba")
    parser.add_argument("--sides", type=harness.some_of(speed_table.SIDES), default=",".join(speed_table.SIDES))
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    options = parser.options(given)
    if not os.access(options.emucc, os.X_OK) or options.emucc.is_dir():
        parser.error(f"{options.emucc} is not an emucc that can be run")
    return options


def gather(options, folder):
    """All sides that are wanted and there, and the versions of the others' programs."""
    sides = built_by_emucc(options.emucc.resolve(), folder, options.limit)
    versions = {"pocl": None, "numba": None}
    if "pocl" in options.sides:
        side, versions["pocl"] = pocl(folder, options.limit)
        sides.append(side)
        if side is None:
            print("bench_speed: without PoCL, which is not installed", file=sys.stderr)
    if "numba" in options.sides:
        if options.numba:
            side, versions["numba"] = numba(options.numba, options.limit)
            sides.append(side)
        else:
            print("bench_speed: without Numba: no --numba PYTHON", file=sys.stderr)
    return [side for side in sides if side is not None and side.name in options.sides], versions


def benchmark(options):
    harness.compare_kernels(HERE)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sides, versions = gather(options, folder)
        report = {
            "processor": harness.processor_name(),
            "cores": len(os.sched_getaffinity(0)),
            "compiler": harness.compiler_name("g++"),
            **versions,
            "clock": CLOCKS[options.clock],
            "results": [],
        }
        for kernel in options.kernels:
            for size_class, size in enumerate([QUICK[kernel]] if options.quick else SIZES[kernel]):
                print(f"{kernel} {size} …", file=sys.stderr, flush=True)
                repeat = 1 if options.quick else options.repeat
                report["results"].append(measure(sides, kernel, size, size_class, repeat))
    print(speed_table.table(report, CLOCKS[options.clock]), end="")
    return report


def main(given):
    return harness.main("bench_speed", benchmark, arguments(given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
