#!/usr/bin/env python3
"""What the emulator's recording and checks cost an access, against Oclgrind, which simulates OpenCL devices.

    tools/bench_checks/bench_checks.py BUILD [--repeat N] [--kernels NAME,NAME] [--out FILE] [--quick]
                                             [--recording-only] [--limit SECONDS]

BUILD is a configured build folder of the emulator's backend; what is missing there is built. Five kernels, line
for line the same in CUDA C++ (kernels.cuh) and in OpenCL C (kernels.cl), of the same size, run in turn:

    ours      EMULATOR_CHECK=1, recording on
    Oclgrind  --data-races --uninitialized, which adds to the bounds it always checks; one thread

each in a process of its own, on one core; what counts is the processor's time for the whole process, from its
start over the making of the data to the verifying of the result. Nothing is subtracted. How long a process takes
that launches an empty kernel is measured, too, and must be below 5 % of every other.

An access is a load or store of one thread, of global or shared memory. How many there are follows from the size;
the emulator's report and Oclgrind's count of instructions must say the same. Three more kernels have a mistake each,
a race, an index out of bounds, a value never written: both sides must find them, or their checks are not on.

Needs oclgrind, opencl-headers and ocl-icd-opencl-dev (so named in Debian and Ubuntu) and a C compiler.

    --repeat N          runs of each kernel on each side, 3 if not given
    --out FILE          writes all times as JSON; docs/results/emulator/checks.json is such a file
    --quick             tiny sizes, one run: to see that it works
    --recording-only    without the emulator's checks
    --limit SECONDS     for one run, 900 if not given
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import checks_table  # noqa: E402

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
# From the words of CUDA to those of OpenCL.
WORDS = [
    (r"__global__ void", "kernel void"),
    (r"const float\*", "global const float*"),
    (r"(?<!const )float\*", "global float*"),
    (r"__shared__", "local"),
    (r"__syncthreads\(\)", "barrier(CLK_LOCAL_MEM_FENCE)"),
    (r"threadIdx\.x", "get_local_id(0)"),
    (r"threadIdx\.y", "get_local_id(1)"),
    (r"blockIdx\.x", "get_group_id(0)"),
    (r"blockIdx\.y", "get_group_id(1)"),
    (r"blockDim\.x", "get_local_size(0)"),
    (r"blockDim\.y", "get_local_size(1)"),
]


class Failure(Exception):
    """Something that ends the benchmark, in one line."""


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
    if kernel == "stencil":  # no halo is loaded before the first and behind the last element
        return 5 * n + blocks * (BLOCK + 2) + 2 * (blocks - 1)
    return 0


def in_opencl(cuda):
    """The statements of kernels.cuh in the words of OpenCL, a list of lines."""
    lines = cuda[cuda.index("__global__"):].splitlines()  # fmt: skip
    for pattern, words in WORDS:
        lines = [re.sub(pattern, words, line) for line in lines]
    return lines


def compare_sources(cuda, opencl):
    """Fails unless both files of kernels have the same statements."""
    theirs = opencl[opencl.index("kernel void"):].splitlines()  # fmt: skip
    for ours, other in zip(in_opencl(cuda) + [None], theirs + [None]):
        if ours != other:
            raise Failure(f"kernels.cl differs from kernels.cuh: '{other}' is not '{ours}'")


def run(command, limit, environment=None):
    """A run that succeeded or not: its seconds, those of the processor, and the completed process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        done = subprocess.run(command, env=os.environ | (environment or {}), timeout=limit, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {limit:g} s: {' '.join(map(str, command))}") from None
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from None
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, processor, done


def must(command, limit=900, environment=None):
    """A run that must end with status 0."""
    result = run(command, limit, environment)
    if result[2].returncode != 0:
        said = (result[2].stderr.strip() or result[2].stdout.strip()).splitlines()
        raise Failure(f"{' '.join(map(str, command))}: status {result[2].returncode}: {said[-1] if said else ''}")
    return result


class Emulator:
    """Our side."""

    name = "emulator"

    def __init__(self, program, checks, limit=900):
        self.program, self.limit = program, limit
        # An inherited setting would change what is measured.
        self.environment = {"EMULATOR_CHECK": "1" if checks else "", "EMULATOR_REPORT": "", "EMULATOR_TRAFFIC": ""}

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


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(": ", 1)[1].strip()
    return "unknown"


def built(folder):
    """Builds our program; its path and the compiler's name."""
    cache = (folder / "CMakeCache.txt").read_text()
    must(["cmake", "--build", folder, "--target", "bench_checks"])
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache, re.MULTILINE)[1]
    version = must([compiler, "-dumpfullversion"])[2].stdout.strip()
    return folder / "tools" / "bench_checks" / "bench_checks", f"g++ {version}"


def check_counts(sides, kernels, quick):
    """That both sides do what the formula says; ours at the full size, where it is quick."""
    for kernel in kernels:
        full, small, _ = KERNELS[kernel]
        for side, size in [(sides[0], small if quick else full), (sides[1], small)]:
            counted = side.count(kernel, size)
            if counted != accesses(kernel, size):
                raise Failure(f"{kernel} {size}: {side.name} counts {counted} accesses, not {accesses(kernel, size)}")


def measure(sides, kernel, size, repeat):
    """Times of both sides, in turn, by the side's name."""
    times = {side.name: {"seconds": [], "processor_seconds": []} for side in sides}
    for _ in range(repeat):
        for side in sides:
            seconds, processor = side.run(kernel, size)
            times[side.name]["seconds"].append(round(seconds, 6))
            times[side.name]["processor_seconds"].append(round(processor, 6))
    return times


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        print(f"bench_checks: {message}", file=sys.stderr)
        sys.exit(2)


def arguments(given):
    parser = Parser(prog="bench_checks", add_help=False)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--recording-only", action="store_true")
    parser.add_argument("--limit", type=float, default=900)
    if "--help" in given:
        print(__doc__.strip())
        sys.exit(0)
    options = parser.parse_args(given)
    options.kernels = options.kernels.split(",")
    for kernel in options.kernels:
        if kernel not in KERNELS:
            parser.error(f"no such kernel: '{kernel}', want some of {','.join(KERNELS)}")
    if options.repeat < 1 or not options.limit > 0:
        parser.error("want at least one run, and some time for it")
    if not (options.build / "CMakeCache.txt").is_file():
        parser.error(f"{options.build} is no configured build folder")
    if options.quick and options.out:
        parser.error("a quick run is no result: --quick and --out exclude each other")
    return options


def benchmark(options):
    compare_sources((HERE / "kernels.cuh").read_text(), (HERE / "kernels.cl").read_text())
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
        "processor": processor_name(),
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
    return report


def main(given):
    options = arguments(given)
    try:
        report = benchmark(options)
        print(checks_table.table(report), end="")
        share = checks_table.largest_start(report)
        if share > LARGEST_START and not options.quick:
            raise Failure(f"the start of a process is {100 * share:.1f} % of a run, too much: nothing is written")
        if options.out:
            options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    except (Failure, OSError) as failure:
        print(f"bench_checks: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
