#!/usr/bin/env python3
"""Reads a GPU's own counters for a chapter's kernels with Nsight Compute, and writes them as JSON.

    tools/measure/counters/kernel_counters.py FILE KERNELS PROGRAM [OPTIONS OF THE PROGRAM]

KERNELS are regular expressions with commas between them: each kernel whose name matches one is profiled at its first
launch (of the first 16 that match). Kernels that a program launches late are asked for by name, as the second layout's
are: sgemv,sgemv.*_a_row,sgemv_column_major. The shape in the file is the one in the options, as in
--rows 16384 --cols 16384. The pages' tables of counters are made from these files. Needs a GPU, ncu, and the right to
read counters.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path += [str(ROOT / "emulator" / "evidence" / "counters"), str(ROOT / "emulator" / "tests")]
import json_rows  # noqa: E402
import nsight_counters  # noqa: E402

EXTENTS = ("size", "rows", "cols", "m", "n", "k")

# Name in the file: metric of Nsight Compute.
METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "cache_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu.sum",
    "l1_hit_percent": "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
    "memory_bytes_read": "dram__bytes_read.sum",
    "warps_active_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers_a_thread": "launch__registers_per_thread",
}


def profile(kernel, command):
    """What ncu says of the first launches of kernels whose name matches, a row each."""
    status, output, errors = nsight_counters.run_ncu(["--kernel-name", f"regex:{kernel}", "--launch-count", "16",
                                                      "--metrics", ",".join(METRICS.values())], command)
    if status != 0:
        nsight_counters.fail(status, output, errors)
    return nsight_counters.rows_of(output)


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 3:
        print("kernel_counters: want FILE KERNELS PROGRAM [OPTIONS OF THE PROGRAM]", file=sys.stderr)
        return 2
    path, names, *command = arguments
    options = dict(zip(command[1:], command[2:]))
    shape = {extent: int(options[f"--{extent}"]) for extent in EXTENTS if f"--{extent}" in options}
    kernels = {}
    for kernel in names.split(","):
        for row in profile(kernel, command):
            name = nsight_counters.kernel_name(row["Kernel Name"])
            counters = {ours: nsight_counters.number(row[theirs]) for ours, theirs in METRICS.items()}
            kernels.setdefault(name, {"kernel": name, **counters})
    if not kernels:
        sys.exit("kernel_counters: no kernel was profiled")
    report = {"chapter": command[0].rsplit("/", 1)[-1], "backend": "nsight", "device": nsight_counters.device_name(),
              **shape, "results": list(kernels.values())}  # fmt: skip
    pathlib.Path(path).write_text(json_rows.text_of(report), encoding="utf-8")
    print(f"{path}: {', '.join(kernels)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
