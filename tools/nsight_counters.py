#!/usr/bin/env python3
"""Reads a GPU's own counters for a chapter's kernels with Nsight Compute, and writes them as JSON.

    tools/nsight_counters.py FILE ROWS COLS PROGRAM [OPTIONS OF THE PROGRAM]

Each kernel whose name contains "sgemv" is profiled at its first launch (of the program's first 16).
Needs a GPU, ncu, and the right to read counters (root, or a driver that lets everyone). The pages' tables of counters are
made from these files, and compared with what the emulator counts.
"""

import csv
import io
import json
import re
import subprocess
import sys

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


def number(text):
    value = float(text.replace(",", ""))
    return int(value) if value == int(value) else value


def profile(kernel, command):
    """What ncu says of the first launches of kernels whose name matches, a row each."""
    ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
           "--kernel-name", f"regex:{kernel}", "--launch-count", "16", "--metrics", ",".join(METRICS.values())]
    run = subprocess.run(ncu + command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"nsight_counters: ncu failed ({run.returncode}):\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    lines = run.stdout.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    table = csv.DictReader(io.StringIO("\n".join(lines[start:])))
    return [row for row in table if row["ID"]]  # without the line of units


def kernel_name(text):
    """'void sgemv_rows<(int)4>(const float *, ...)' is sgemv_rows<4>."""
    text = re.sub(r"\((int|bool|unsigned int)\)", "", text.removeprefix("void "))
    return re.sub(r"(\w+::|<unnamed>::)", "", text.split("(")[0]).strip()


def main():
    if len(sys.argv) < 5 or not (sys.argv[2] + sys.argv[3]).isdigit():
        sys.exit(__doc__.strip())
    path, rows, cols, program = sys.argv[1:5]
    command = [program, "--rows", rows, "--cols", cols, *sys.argv[5:]]
    kernels = {}
    # Programs with two layouts launch the second's kernels late: they are asked for by name.
    for kernel in ("sgemv", "sgemv.*_a_row", "sgemv_columns"):
        for row in profile(kernel, command):
            name = kernel_name(row["Kernel Name"])
            counters = {ours: number(row[theirs]) for ours, theirs in METRICS.items()}
            kernels.setdefault(name, {"kernel": name, **counters})
    if not kernels:
        sys.exit("nsight_counters: no kernel was profiled")
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", "--id=0"],
                            capture_output=True, text=True).stdout.strip()
    with open(path, "w") as file:
        json.dump({"chapter": program.rsplit("/", 1)[-1], "backend": "nsight", "device": device,
                   "rows": int(rows), "cols": int(cols), "results": list(kernels.values())}, file, indent=1)
        file.write("\n")
    print(f"{path}: {', '.join(kernels)}")


if __name__ == "__main__":
    main()
