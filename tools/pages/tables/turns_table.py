"""Chapter 28's attention in turns with cuDNN's: tables.py puts it between

    <!-- turns: nvidia-h200/28_attention_turns -->
    <!-- end of turns -->

from what tools/measure/probes/attention_turns.py measured.
"""

import json

from places import RESULTS
from result_tables import lines_of


def table(report):
    """A line per shape: ours and PyTorch's two."""
    shapes = {}
    for row in report["results"]:
        key = row["length"], row["head_size"], row["causal"]
        shapes.setdefault(key, {})[row["kernel"]] = row
    rows = []
    for (length, size, causal), by_name in shapes.items():
        ours, library, flash = (by_name[name] for name in ("ours", "cuDNN", "flash"))
        rows.append([
            f"{length:,}{', causal' * causal}", str(size),
            *(f"{row['tflop_per_s']:.0f}" for row in (ours, library, flash)),
            f"{library['median_ms'] / ours['median_ms']:.2f}",
            f"{ours['error']:.2e}", f"{library['error']:.2e}",
        ])  # fmt: skip
    major, minor, patch = report["cudnn"] // 10000, report["cudnn"] // 100 % 100, report["cudnn"] % 100
    return lines_of(
        ["length", "head size", "ours, TFLOP/s", "cuDNN", "PyTorch's flash", "× cuDNN", "error of ours", "of cuDNN"],
        rows,
        f"{report['gpu']}, PyTorch {report['torch'].partition('+')[0]}, cuDNN {major}.{minor}.{patch}; 16,384 tokens, 2,048 "
        f"wide; medians of {report['rounds']} rounds in turns. Errors against FP64: root mean square, relative.",
        words=1,
    )


def block(name, results=RESULTS):
    return table(json.loads((results / f"{name}.json").read_text(encoding="utf-8")))
