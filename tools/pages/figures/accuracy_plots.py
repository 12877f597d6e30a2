"""The plot of chapter 29: the errors of its products of positive numbers, as the emulator computes them."""

import json

import results_files
from plotting import Figure, is_narrow
from rung_plots import GPU, WIDE, draw_groups, heading

KIND, BESIDE = "positive", "cuBLAS"
LEFT_OUT = ("TF32", "FP16 x 3, unscaled", "wgmma BF16 x 9", "ours")  # off the scale, or as others
NAME_WIDTH, WIDTH = 26, 13  # characters of a row's name and of each column, in the program's tables


def largest_errors():
    """Of each kernel, for positive numbers, in units of 2^-24 times the sum of the terms' magnitudes."""
    path = results_files.RESULTS / "emulator" / "kinds" / "29_fp32.json"
    if not path.is_file():
        return {}, ""
    report = json.loads(path.read_text(encoding="utf-8"))
    lines = iter(report["notes"])
    head = next(line for line in lines if line.startswith("largest"))
    at = head.index(KIND.rjust(WIDTH))
    rows = {}
    for line in lines:
        if not line[at:].strip()[:1].isdigit():
            break
        rows[line[:NAME_WIDTH].strip()] = float(line[at:at + WIDTH])
    return rows, " × ".join(str(report[extent]) for extent in ("rows", "cols", "inner"))


def errors(gpu, _):
    errors, shape = largest_errors()
    if not errors or gpu != GPU:  # tensor cores of other generations truncate in other ways
        return None
    limit = 1000 * errors[BESIDE]  # a rung's plot writes thousandths
    bars = [{"name": kernel, "rate": 1000 * error, "limit": limit, "ratio": None, "beside": kernel == BESIDE}
            for kernel, error in errors.items() if kernel not in LEFT_OUT]  # fmt: skip
    kernel = "wgmma FP16 x 3"
    claim = f"Promoted, sums are {errors[kernel + ', truncated'] / errors[kernel]:.0f} times as accurate as truncated"
    below = f"largest error of positive numbers, {shape}, to the bits of an H200; units of 2⁻²⁴ Σ|a||b|"
    called = f"FP32 {errors[BESIDE]:.1f}"

    def draw(page):
        large, small = (9.5, 9) if is_narrow(page) else (12, 10.5)
        draw_groups(page, {"": bars}, called, "units", heading(page, claim, below, large, small), large, small)

    least, most = (choose(errors[bar["name"]] for bar in bars) for choose in (min, max))
    return Figure(
        f"fp32-errors-{gpu}",
        claim,
        f"The largest errors, from {least:.1f} to {most:.1f} units; FP32 by one term after the other {errors[BESIDE]:.1f}.",
        {"bars": bars, "below": below, "called": called},
        0.95 + 0.29 * len(bars),
        1.35 + 0.23 * len(bars),
        draw,
        WIDE,
    )


PLOTS = [errors]
