#!/usr/bin/env python3
"""Reads a GPU's own counters for a chapter's kernels with Nsight Compute, and writes them as JSON.

    tools/measure/kernel_counters.py FILE ROWS COLS PROGRAM [OPTIONS OF THE PROGRAM]

Each kernel whose name contains "sgemv" is profiled at its first launch (of the program's first 16). The pages' tables
of counters are made from these files. Needs a GPU, ncu, and the right to read counters.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(ROOT / "emulator" / "counters"))
import nsight_counters  # noqa: E402

# Name in the file: metric of Nsight Compute.
METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
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
    if len(arguments) < 4 or not (arguments[1] + arguments[2]).isdigit():
        print("kernel_counters: want FILE ROWS COLS PROGRAM [OPTIONS OF THE PROGRAM]", file=sys.stderr)
        return 2
    path, rows, cols, program = arguments[:4]
    command = [program, "--rows", rows, "--cols", cols, *arguments[4:]]
    kernels = {}
    # Programs with two layouts launch the second's kernels late: they are asked for by name.
    for kernel in ("sgemv", "sgemv.*_a_row", "sgemv_column_major"):
        for row in profile(kernel, command):
            name = nsight_counters.kernel_name(row["Kernel Name"])
            counters = {ours: nsight_counters.number(row[theirs]) for ours, theirs in METRICS.items()}
            kernels.setdefault(name, {"kernel": name, **counters})
    if not kernels:
        sys.exit("kernel_counters: no kernel was profiled")
    report = {"chapter": program.rsplit("/", 1)[-1], "backend": "nsight", "device": nsight_counters.device_name(),
              "rows": int(rows), "cols": int(cols), "results": list(kernels.values())}  # fmt: skip
    pathlib.Path(path).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {', '.join(kernels)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
