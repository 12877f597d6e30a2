#!/usr/bin/env python3
"""What the emulator's recording and checks cost an access, against Oclgrind, which simulates OpenCL devices.

    emulator/tools/benchmarks/checks/bench_checks.py BUILD [--repeat N] [--kernels NAME,NAME] [--out FILE] [--quick]
                                               [--recording-only] [--limit SECONDS]

BUILD is a configured build folder with the emulator; what is missing there is built. Five kernels, line for line
the same in CUDA C++ (kernels.cuh) and in OpenCL C (kernels.cl), of the same size, run in turn:

    ours      EMULATOR_CHECK=1, recording on
    Oclgrind  --data-races --uninitialized, which adds to the bounds it always checks; one thread

each in a process of its own, on one core; what counts is the processor's time for the whole process, from its
start over the making of the data to the verifying of the result. Nothing is subtracted. How long a process takes
that launches an empty kernel is also measured, and must be below 5 % of every other.

An access is a load or store of one thread, of global or shared memory. How many there are follows from the size;
the emulator's report and Oclgrind's count of instructions must say the same. Three more kernels have a mistake each,
a race, an index out of bounds, a value never written: both sides must find them, or their checks are not on.

Needs oclgrind, opencl-headers and ocl-icd-opencl-dev (so named in Debian and Ubuntu) and a C compiler.

    --repeat N          runs of each kernel on each side, 3 if not given
    --out FILE          writes all times as JSON
    --quick             tiny sizes, one run: to see that it works
    --recording-only    without the emulator's checks
    --limit SECONDS     for one run, 900 if not given
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path += [str(HERE), str(HERE.parent)]
import checks_table  # noqa: E402
import harness  # noqa: E402
from harness import Failure, must, run  # noqa: E402

OCLGRIND_CHECKS = ["--data-races", "--uninitialized"]
PACKAGES = "oclgrind, opencl-headers and ocl-icd-opencl-dev"
BLOCK, TILE = 256, 16
# Kernel: sizes of a run that counts, of a quick one, and what a size is.
KERNELS = {
    "saxpy": (1_000_000, 1000, "elements"),
    "sgemv": (1200, 50, "rows and columns"),
    "gemm": (112, 40, "rows and columns"),
    "reduction": (600_000, 1000, "elements"),
    "stencil": (500_000, 1000, "elements"),
}
# Kernel with a mistake: what the emulator calls it, and how Oclgrind's message about it begins.
MISTAKES = {
    "missing_barrier": ("race", "Read-write data race"),
    "past_the_end": ("out-of-bounds", "Invalid read"),
    "never_written": ("uninitialised", "Uninitialized value"),
}
LARGEST_START = 0.05  # of a run
CLOCKS = ("seconds", "processor_seconds")


def accesses(kernel, n):
    """Loads and stores of single threads, as the kernels are written."""
    blocks = -(-n // BLOCK)
    if kernel == "saxpy":
        return 3 * n
    if kernel == "sgemv":
        return 2 * n * n + n
    if kernel == "gemm":
        tiles = -(-n // TILE)
        shared = tiles**3 * TILE**2 * (2 + 2 * TILE)
        return shared + 2 * n * n * tiles + n * n
    if kernel == "reduction":  # a block's: its stores, 255 sums of three accesses, the last load and store
        return n + blocks * (BLOCK + 3 * (BLOCK - 1) + 2)
    if kernel == "stencil":  # no halo is loaded before the first and after the last element
        return 5 * n + blocks * (BLOCK + 2) + 2 * (blocks - 1)
    return 0


class Emulator:
    """Our side."""

    name = "emulator"

    def __init__(self, program, checks, limit=900):
        self.program, self.limit = program, limit
        self.environment = harness.NO_SETTINGS | ({"EMULATOR_CHECK": "1"} if checks else {})

    def run(self, kernel, size):
        """Seconds and seconds of the processor, of a run whose result is right."""
        seconds, processor, done = must([self.program, kernel, str(size)], self.limit, self.environment)
        if done.stderr:
            raise Failure(f"the emulator on {kernel}: {done.stderr.strip().splitlines()[0]}")
        return seconds, processor

    def report(self, kernel, size):
        """What the emulator writes about a run, whatever its exit status."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            run([self.program, kernel, str(size)], self.limit, self.environment | {"EMULATOR_REPORT": str(path)})
            try:
                return json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise Failure(f"the emulator's report of {kernel}: {error}") from None

    def count(self, kernel, size):
        launches = self.report(kernel, size)["kernels"]
        return sum(
            instruction["active_lanes"]
            for launch in launches
            for line in launch["lines"]
            for instruction in line["instructions"]
        )

    def finds(self, mistake):
        findings = self.report(mistake, 1000).get("findings", [])
        return any(finding["kind"] == MISTAKES[mistake][0] for finding in findings)


class Oclgrind:
    """The other side."""

    name = "oclgrind"

    def __init__(self, folder, limit=900):
        self.program, self.limit = pathlib.Path(folder) / "bench_checks_opencl", limit
        self.command = ["oclgrind", "--num-threads", "1", *OCLGRIND_CHECKS]

    def build(self):
        if not shutil.which("oclgrind"):
            raise Failure(f"oclgrind is not installed (Debian, Ubuntu: {PACKAGES})")
        compiler = os.environ.get("CC") or "cc"
        kernels = str(HERE / "kernels.cl").replace("\\", "\\\\").replace('"', '\\"')
        self.program.parent.mkdir(parents=True, exist_ok=True)
        must([compiler, "-std=c11", "-O2", "-Wall", "-Wextra", f'-DKERNELS_FILE="{kernels}"',
              str(HERE / "bench_checks.c"), str(HERE / "problem.c"), "-lOpenCL", "-o", str(self.program)])  # fmt: skip

    def version(self):
        return re.search(r"Oclgrind (\S+)", must(["oclgrind", "--version"])[2].stdout)[1]

    def run(self, kernel, size):
        seconds, processor, done = must([*self.command, self.program, kernel, str(size)], self.limit)
        if said := (done.stdout + done.stderr).strip():
            raise Failure(f"Oclgrind on {kernel}: {said.splitlines()[0]}")
        return seconds, processor

    def count(self, kernel, size):
        """From Oclgrind's histogram. A load or store of private memory would be one that we do not have."""
        done = must([*self.command, "--inst-counts", self.program, kernel, str(size)], self.limit)[2]
        counted = re.findall(r"([\d,]+) - (?:load|store) (?:global|local|private)\b", done.stdout + done.stderr)
        return sum(int(number.replace(",", "")) for number in counted)

    def finds(self, mistake):
        done = run([*self.command, self.program, mistake, "1000"], self.limit)[2]
        return MISTAKES[mistake][1] in done.stderr


def built(folder):
    """Builds our program; its path and the compiler's name."""
    cache = (folder / "CMakeCache.txt").read_text()
    must(["cmake", "--build", folder, "--target", "bench_checks"])
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache, re.MULTILINE)[1]
    # The emulator is built as a part of something larger, or by itself.
    place = "emulator/tools/benchmarks" if (folder / "emulator" / "tools").is_dir() else "tools/benchmarks"
    return folder / place / "bench_checks", harness.compiler_name(compiler)


def check_counts(sides, kernels, quick):
    """That both sides do what the formula says; ours at the full size, where it is quick."""
    for kernel in kernels:
        full, small, _ = KERNELS[kernel]
        for side, size in [(sides[0], small if quick else full), (sides[1], small)]:
            counted = side.count(kernel, size)
            if counted != accesses(kernel, size):
                raise Failure(f"{kernel} {size}: {side.name} counts {counted} accesses, not {accesses(kernel, size)}")


def measure(sides, kernel, size, repeat):
    return harness.in_turn(sides, CLOCKS, repeat, lambda side: side.run(kernel, size))


def arguments(given):
    parser = harness.Parser("bench_checks", __doc__, KERNELS, repeat=3, limit=900)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--recording-only", action="store_true")
    options = parser.options(given)
    if not (options.build / "CMakeCache.txt").is_file():
        parser.error(f"{options.build} is not a configured build folder")
    return options


def benchmark(options):
    harness.compare_kernels(HERE)
    program, compiler = built(options.build.resolve())
    ours = Emulator(program, not options.recording_only, options.limit)
    oclgrind = Oclgrind(program.parent, options.limit)
    oclgrind.build()
    sides = [ours, oclgrind]
    # One core for all that follows.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    found = {side.name: [m for m in MISTAKES if side.finds(m)] for side in sides}
    for side in sides[options.recording_only:]:  # fmt: skip
        if missed := set(MISTAKES) - set(found[side.name]):
            raise Failure(f"{side.name} does not find the mistake of {', '.join(sorted(missed))}: are its checks on?")
    check_counts(sides, options.kernels, options.quick)
    repeat = 1 if options.quick else options.repeat
    report = {
        "processor": harness.processor_name(),
        "compiler": compiler,
        "oclgrind": oclgrind.version(),
        "oclgrind_options": oclgrind.command[1:],
        "checks": not options.recording_only,
        "found": found,
        "start": measure(sides, "empty", 1, repeat),
        "results": [],
    }
    for kernel in options.kernels:
        size = KERNELS[kernel][options.quick]
        print(f"{kernel} {size} …", file=sys.stderr, flush=True)
        report["results"].append({"kernel": kernel, "size": size, "unit": KERNELS[kernel][2],
                                  "accesses": accesses(kernel, size),
                                  **measure(sides, kernel, size, repeat)})  # fmt: skip
    print(checks_table.table(report), end="")
    share = checks_table.largest_start(report)
    if share > LARGEST_START and not options.quick:
        raise Failure(f"the start of a process is {100 * share:.1f} % of a run, too much: nothing is written")
    return report


def main(given):
    return harness.main("bench_checks", benchmark, arguments(given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
