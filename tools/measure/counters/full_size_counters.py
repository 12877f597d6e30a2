#!/usr/bin/env python3
"""Compares what the emulator counted of the chapters' kernels with what a GPU's own counters said, in files of results.

    tools/measure/counters/full_size_counters.py EMULATOR_FOLDER NSIGHT_FOLDER

Both hold one file per chapter of matrix-vector products, NN_name.json: one written by the chapter's program on the
emulator, the other by tools/measure/counters/kernel_counters.py, at the same shape. Every counter that both have must be equal.
"""

import json
import pathlib
import sys

# Kernels whose rung has another name, by the name's beginning; two kernels may make one rung.
RUNGS = {
    "sgemv_split<float4, 1024": "split warps",
    "sgemv_split<float4, 256": "split two passes",
    "sgemv_add_pieces": "split two passes",
    "sgemv_warp_a_row<float4": "warp per row, float4",
    "sgemv_warp_a_row<float": "warp per row",
    "sgemv_block_a_row": "block per row",
    "sgemv_four_rows": "rows",
    "sgemv_column_major": "ours column-major",
    "sgemv_row_major<float": "ours row-major",
}


def rung(kernel):
    """The name of the rung to which a profiled kernel belongs."""
    for beginning, known in RUNGS.items():
        if kernel.startswith(beginning):
            return known
    return kernel.removeprefix("sgemv_").removesuffix("<float4>").replace("_", " ")


COUNTERS = ["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors"]


def main():
    if len(sys.argv) != 3:
        print("full_size_counters: want EMULATOR_FOLDER NSIGHT_FOLDER", file=sys.stderr)
        sys.exit(2)
    emulator, nsight = map(pathlib.Path, sys.argv[1:])
    kernels = wrong = 0
    for path in sorted(nsight.glob("*.json")):
        measured = json.loads(path.read_text())
        if "k" in measured:  # a product of matrices: at full size the emulator would take days
            continue
        counted = json.loads((emulator / path.name).read_text())
        if [measured[key] for key in ("rows", "cols")] != [counted[key] for key in ("rows", "cols")]:
            sys.exit(f"full_size_counters: {path.name}: the shapes differ")
        rows = {row["kernel"]: row for row in counted["results"]}
        rungs = {}
        for gpu in measured["results"]:
            sums = rungs.setdefault(rung(gpu["kernel"]), dict.fromkeys(COUNTERS, 0))
            for counter in COUNTERS:
                sums[counter] += gpu[counter]
        for name, sums in rungs.items():
            kernels += 1
            for counter in COUNTERS:
                if rows[name][counter] != sums[counter]:
                    wrong += 1
                    print(f"{path.name}: {name}: {counter}: emulator {rows[name][counter]}, GPU {sums[counter]}")
    print(f"{kernels} kernels compared, {wrong} counters differ")
    sys.exit(1 if wrong or kernels == 0 else 0)


if __name__ == "__main__":
    main()
