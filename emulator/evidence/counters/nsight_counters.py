#!/usr/bin/env python3
"""Reads a GPU's own counters for a program's kernels with Nsight Compute, and writes them as JSON.

    emulator/evidence/counters/nsight_counters.py [--kernels REGEX] [--per-shape N] FILE PROGRAM [OPTION ...]

All kernels in one run, an object for the first launch of each kernel with each grid and block: what
compare_counters.py compares with what the emulator counts.

    --kernels REGEX   only kernels whose name matches, so that those which measure ceilings are left out
    --per-shape N     only the first N launches with the same grid, block and shared memory: for programs
                      that repeat their launches

Needs a GPU, ncu, and the right to read counters (root, or a driver that lets everyone).
"""

import argparse
import csv
import io
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import json_rows  # noqa: E402

# Name in the file, which is that of the emulator's report: metric of Nsight Compute.
METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_instructions": "smsp__inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}

# Metrics that not every version of Nsight Compute has: left out where they are missing. Several metrics
# for one name are added up: the hardware has atomics with a result (atom) and without (red).
OPTIONAL_METRICS = {
    "global_atomic_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                               "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"],
    "global_atomic_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
    "shared_atomic_instructions": ["smsp__inst_executed_op_shared_atom.sum"],
    "shared_atomic_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    "shared_atomic_bank_conflicts": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"],
    "local_load_requests": ["l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"],
    "local_store_requests": ["l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"],
}

# Counted by themselves, and added to those above where this version of Nsight Compute knows them: instructions that load
# or store whole matrices.
FURTHER_METRICS = {
    "shared_load_instructions": "smsp__inst_executed_op_ldsm.sum",
    "shared_store_instructions": "smsp__inst_executed_op_shared_stsm.sum",
}

# Instructions whose addresses may be of any memory are counted by themselves, whatever memory it then was. If a kernel
# has some, and uses shared memory, nobody knows how many instructions were for that: the counter is left out.
GENERIC_METRICS = {
    "shared_load_instructions": ("smsp__inst_executed_op_generic_ld.sum", "shared_load_wavefronts"),
    "shared_store_instructions": ("smsp__inst_executed_op_generic_st.sum", "shared_store_wavefronts"),
}

LONGEST_RUN = 300  # seconds; no program should take nearly as long


def number(text):
    value = float(text.replace(",", ""))
    return int(value) if value == int(value) else value


def run_ncu(options, command):
    """ncu's exit status, and all that it and the program printed."""
    ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", *options, *command]
    try:
        run = subprocess.run(ncu, capture_output=True, text=True, timeout=LONGEST_RUN)
    except FileNotFoundError:
        sys.exit("nsight_counters: ncu (Nsight Compute) is not on the PATH")
    except subprocess.TimeoutExpired:
        sys.exit(f"nsight_counters: {command[0]} took more than {LONGEST_RUN} seconds under ncu")
    return run.returncode, run.stdout, run.stderr


def rows_of(output):
    """The rows of the table that ncu prints after what the program prints."""
    lines = output.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    table = csv.DictReader(io.StringIO("\n".join(lines[start:])))
    return [row for row in table if (row["ID"] or "").isdigit()]  # without the line of units


def fail(status, output, errors):
    sys.exit(f"nsight_counters: ncu failed ({status}):\n{output[-2000:]}{errors[-2000:]}")


def profile_launches(command, kernels, per_shape):
    """What ncu says of all launches, a row each. Metrics that this ncu does not know are left out."""
    options = ["--cache-control", "none"]  # these counters do not ask who answers
    if kernels:
        options += ["--kernel-name", f"regex:{kernels}"]
    if per_shape:
        options += ["--filter-mode", "per-launch-config", "--launch-count", str(per_shape)]
    optional = [metric for metrics in OPTIONAL_METRICS.values() for metric in metrics]
    optional += [*FURTHER_METRICS.values(), *(metric for metric, _ in GENERIC_METRICS.values())]
    while True:
        metrics = ",".join([*METRICS.values(), *optional])
        status, output, errors = run_ncu([*options, "--metrics", metrics], command)
        rows = rows_of(output)
        if rows:
            if status != 0:  # the counters are good all the same, and compared launch by launch
                print(f"nsight_counters: {command[0]} ended with {status}: {errors.strip()[-500:]}", file=sys.stderr)
            return rows
        if not optional:
            fail(status, output, errors)
        named = [metric for metric in optional if metric.removesuffix(".sum") in output + errors]
        print(f"nsight_counters: again without {', '.join(named) or 'all optional metrics'}", flush=True)
        optional = [metric for metric in optional if metric not in named] if named else []


def kernel_name(text):
    """'void gemm_tiled<(int)16>(const float *, ...)' is gemm_tiled<16>."""
    text = re.sub(r"\((int|bool|unsigned int)\)", "", text.removeprefix("void "))
    return re.sub(r"(\w+::|<unnamed>::)", "", text.split("(")[0]).strip()


def instance_name(text):
    """The kernel with its template arguments as g++ writes them: true, where ncu writes (bool)1."""
    text = text.replace("(bool)1", "true").replace("(bool)0", "false").replace("(anonymous namespace)::", "")
    return kernel_name(text)


def extents(text):
    """'(4, 1, 1)' is [4, 1, 1]."""
    return [int(digits) for digits in re.findall(r"\d+", text)]


def counters_of(row):
    """The counters of a row, without those that ncu did not give, or gave in part."""
    values = {name: [row.get(metric)] for name, metric in METRICS.items()}
    values.update({name: [row.get(metric) for metric in metrics] for name, metrics in OPTIONAL_METRICS.items()})
    for name, metric in FURTHER_METRICS.items():
        if row.get(metric):
            values[name].append(row[metric])
    known = {}
    for name, texts in values.items():
        if all(text and text[0].isdigit() for text in texts):
            known[name] = sum(number(text) for text in texts)
        elif name in METRICS:
            sys.exit(f"nsight_counters: ncu gave no {METRICS[name]} for {row['Kernel Name']}: {texts[0]}")
    for name, (metric, wavefronts) in GENERIC_METRICS.items():
        if known[wavefronts] > 0 and number(row.get(metric) or "0") > 0:
            del known[name]
    return known


def launches_of(rows, kernels):
    """An object for the first launch of each kernel with each grid and block."""
    launches = {}
    for row in rows:
        instance = instance_name(row["Kernel Name"])
        kernel = instance.split("<")[0]
        if kernels and not re.search(kernels, kernel):
            continue
        grid, block = extents(row["Grid Size"]), extents(row["Block Size"])
        key = (instance, tuple(grid), tuple(block))
        if key not in launches:
            launches[key] = {"kernel": kernel, "instance": instance, "grid": grid, "block": block, **counters_of(row)}
    return list(launches.values())


def device_name():
    return subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", "--id=0"],
                          capture_output=True, text=True).stdout.strip()


def write_by_lines(path, head, launches):
    """The head's members and then "kernels", a line each."""
    with open(path, "w") as file:
        file.write(json_rows.text_of({**head, "kernels": launches}))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"nsight_counters: {message}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = Parser(prog="nsight_counters", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", default="")
    parser.add_argument("--per-shape", type=int, default=0)
    parser.add_argument("file")
    parser.add_argument("program")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    wanted = parser.parse_args()
    if not os.access(wanted.program, os.X_OK):
        parser.error(f"{wanted.program} is no program")
    rows = profile_launches([wanted.program, *wanted.options], wanted.kernels, wanted.per_shape)
    launches = launches_of(rows, wanted.kernels)
    if not launches:
        sys.exit("nsight_counters: no kernel was profiled")
    write_by_lines(wanted.file, {"program": os.path.basename(wanted.program), "backend": "nsight",
                                 "device": device_name(), "options": wanted.options}, launches)
    print(f"{wanted.file}: {len(launches)} launches of {len({one['instance'] for one in launches})} kernels, "
          f"{len(rows)} profiled")


if __name__ == "__main__":
    main()
