"""What the benchmarks share: the options that each has, processes that are timed and must succeed, sides that take
turns, the comparison of kernels in CUDA C++ with the same ones in OpenCL C, and the file with all that was measured."""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import json_rows  # noqa: E402

# An inherited setting of the emulator's would change what is measured.
NO_SETTINGS = dict.fromkeys(("EMULATOR_CHECK", "EMULATOR_DEVICES", "EMULATOR_ORDER", "EMULATOR_REPORT",
                             "EMULATOR_THREADS", "EMULATOR_TIMELINE", "EMULATOR_TRAFFIC"), "")

# From the words of CUDA to those of OpenCL, where the size of a tile is not a parameter of a template.
WORDS = [
    (r"template <int tile>\n", ""),
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

PROBE = """#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
int main(void) { return clGetPlatformIDs(0, 0, 0); }
"""


class Failure(Exception):
    """Something that ends the benchmark, in one line."""


# ---------------------------------------------------------------- the command line


def some_of(known):
    """The type of an option that picks names, as in saxpy,gemm."""

    def names(text):
        for name in text.split(","):
            if name not in known:
                raise argparse.ArgumentTypeError(f"no '{name}', want some of {','.join(known)}")
        return text.split(",")

    return names


class Parser(argparse.ArgumentParser):
    """A command line with the options that every benchmark has; says what is wrong with it in one line."""

    def __init__(self, name, text, kernels, repeat, limit):
        super().__init__(prog=name, add_help=False, allow_abbrev=False)
        self.text = text  # for --help
        self.add_argument("--kernels", type=some_of(kernels), default=",".join(kernels))
        self.add_argument("--repeat", type=int, default=repeat)
        self.add_argument("--limit", type=float, default=limit)
        self.add_argument("--out", type=pathlib.Path)
        self.add_argument("--quick", action="store_true")

    def error(self, message):
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(2)

    def options(self, given):
        if "--help" in given:
            print(self.text.strip())
            sys.exit(0)
        options = self.parse_args(given)
        if options.repeat < 1 or not options.limit > 0:
            self.error("want at least one run, and a time limit above 0")
        if options.quick and options.out:
            self.error("a quick run is no result: --quick and --out exclude each other")
        return options


# ---------------------------------------------------------------- processes


def run(command, limit, environment=None):
    """A run that succeeded or not: its seconds, those of the processor, and the completed process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        done = subprocess.run(command, env=os.environ | (environment or {}), timeout=limit, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failure(f"did not end within {limit:g} s: {' '.join(map(str, command))}") from None
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


def can_build_opencl(compiler, folder, limit=900):
    """Whether the compiler, of C or C++, finds the headers and the library for OpenCL; it tries that in the folder."""
    probe = pathlib.Path(folder) / "probe.c"
    probe.write_text(PROBE, encoding="utf-8")
    try:
        must([compiler, probe, "-lOpenCL", "-o", probe.with_suffix("")], limit)
    except Failure:
        return False
    return True


def in_turn(sides, clocks, repeat, run_of):
    """Times of all sides, which take turns, by the side's name; run_of(side) gives one of each clock."""
    times = {side.name: {clock: [] for clock in clocks} for side in sides}
    for _ in range(repeat):
        for side in sides:
            for clock, value in zip(clocks, run_of(side)):
                times[side.name][clock].append(round(value, 6))
    return times


# ---------------------------------------------------------------- what is beside the times


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(": ", 1)[1].strip()
    return "unknown"


def compiler_name(compiler):
    return "g++ " + must([compiler, "-dumpfullversion"])[2].stdout.strip()


# ---------------------------------------------------------------- kernels in two languages


def behind_first_comment(text):
    return text.partition("\n\n")[2]


def in_opencl(cuda):
    """Kernels in CUDA C++ in the words of OpenCL C."""
    for pattern, words in WORDS:
        cuda = re.sub(pattern, words, cuda)
    return cuda


def compare_sources(cuda, opencl):
    """Fails unless both files of kernels have the same statements, line for line, after their first comments."""
    ours, theirs = in_opencl(behind_first_comment(cuda)).splitlines(), behind_first_comment(opencl).splitlines()
    if not theirs:
        raise Failure("kernels.cl has nothing behind its first comment")
    for one, other in zip(ours + [None], theirs + [None]):
        if one != other:
            raise Failure(f"kernels.cl differs from kernels.cuh: '{other}' is not '{one}'")


def compare_kernels(folder):
    """The same for kernels.cuh and kernels.cl of a folder."""
    compare_sources(*((folder / f"kernels.{suffix}").read_text(encoding="utf-8") for suffix in ("cuh", "cl")))


# ---------------------------------------------------------------- a whole benchmark


def main(name, benchmark, options):
    """Runs it, keeps what it reports where --out says so, and returns the exit status."""
    try:
        report = benchmark(options)
        if options.out:
            options.out.write_text(json_rows.text_of(report), encoding="utf-8")
    except (Failure, OSError) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 1
    return 0
