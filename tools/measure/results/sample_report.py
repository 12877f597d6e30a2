"""What tests take for a file that ./course measure wrote: sample-gpu.json, whole or changed."""

import copy
import json
import pathlib

SAMPLE = pathlib.Path(__file__).resolve().parent / "sample-gpu.json"
LATENCY = {"memory_ns": 500.0, "samples": 31, "p10_ns": 490.0, "p90_ns": 520.0}


def sample():
    """The file with all that version 2 brought: 512 000 bytes in flight are 1024 GB/s, half the ceiling."""
    report = json.loads(SAMPLE.read_text(encoding="utf-8"))
    report |= {"schema_version": 2, "latency": dict(LATENCY)}
    report["kernels"] = [row for row in report["kernels"] if not row["kernel"].startswith("ours ")]
    for row in report["kernels"]:
        row.pop("bytes_in_flight", None)
        if row["kernel"] == "float4":
            row["bytes_in_flight"] = 512000
    return report


def like(row, **values):
    return copy.deepcopy(row) | values


def product(report, m=4096, n=4096, k=4096, **values):
    """A product of matrices as the sample would have it: 8192 GFLOP/s, half the ceiling."""
    row = like(next(row for row in report["kernels"] if row["kernel"] == "cuBLAS row-major"), chapter="08_gemm_tiling",
               kernel="tiled", rows=m, cols=n, inner=k, operations=2 * m * n * k, bytes=4 * (m * k + k * n + m * n),
               bound="fma", gflop_per_s=8192.0, percent_of_ceiling=50.0)  # fmt: skip
    ms = row["operations"] / 8192e6
    row |= {"median_ms": ms, "p10_ms": ms / 2, "p90_ms": 2 * ms, "cublas_median_ms": ms / 4, "ratio_to_cublas": 0.25,
            "gb_per_s": row["bytes"] / ms / 1e6}  # fmt: skip
    return row | values


def drawn(report, ratios=()):
    """Makes of a sample what --random would have written: its matrix kernels, or one kernel with these ratios."""
    report |= {"schema_version": 5, "drawn": {"shapes": max(2, len(ratios)), "seed": 7}}
    report["kernels"] = [row for row in report["kernels"] if row["layout"] != "vector" and row["cache"] == "cold"]
    if ratios:
        first = next(row for row in report["kernels"] if row["kernel"] == "cuBLAS row-major")
        report["kernels"] = [
            like(first, kernel="ours row-major", rows=1000 + k, ratio_to_cublas=ratio,
                 cublas_median_ms=ratio * first["median_ms"])
            for k, ratio in enumerate(ratios)
        ]  # fmt: skip
    for row in report["kernels"]:
        library = row["cublas_median_ms"]
        row |= {"offset": 1, "cublas_p10_ms": library / 2, "cublas_p90_ms": 2 * library}
    return report
