"""The plot of chapter 19: its rungs under the roof of shared memory and that of arithmetic."""

import json

import results_files
from plotting import BLUE, FAINT, INK, Figure, axes_in, heading, is_narrow, label_points, pick

CHAPTER = "19_gemm_registers"
JOINED = ("8 x 1", "8 x 8")  # nvcc joins loads of these, so that the emulator's wavefronts are not a GPU's


def operations_a_byte():
    """Of each rung: the operations for each byte that shared memory moves, by the wavefronts that the emulator counts."""
    path = results_files.RESULTS / "emulator" / f"{CHAPTER}.json"
    if not path.is_file():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))["results"]
    return {row["kernel"]: row["operations"] / 128 / (row["shared_load_wavefronts"] + row["shared_store_wavefronts"])
            for row in rows if row["kernel"] not in JOINED}  # fmt: skip


def rungs(gpu, _):
    """What the rungs reach at 4,096, against what shared memory and arithmetic allow."""
    folder = results_files.RESULTS / gpu
    own, roof = folder / "measured" / f"{CHAPTER}.json", folder / "shared_bandwidth.json"
    if not own.is_file() or not roof.is_file():
        return None
    report = results_files.load(f"{gpu}/measured/{CHAPTER}")
    shape = {"rows": 4096, "cols": 4096, "inner": 4096, "cache": "cold"}
    places = operations_a_byte()
    rows = [pick(row, "kernel", "gflop_per_s") | {"place": places[row["kernel"]]} for row in report["kernels"]
            if results_files.holds(row, shape) and row["kernel"] in places]  # fmt: skip
    if not rows:
        return None
    device, fma = report["device"]["name"], report["ceilings"]["fma"]["gflop_per_s"]
    [shared] = [row["gb_per_s"] for row in json.loads(roof.read_text(encoding="utf-8"))["results"]]
    best = max(rows, key=lambda row: row["gflop_per_s"])
    right = 1.25 * max(row["place"] for row in rows)

    def draw(page):
        below = heading(page, "What registers spare shared memory, and what that brings",
                        f"{device}, 4,096 × 4,096 × 4,096; operations for each byte that shared memory moves")  # fmt: skip
        axes = axes_in(page, left=0.75, right=0.2, top=below + 0.4, bottom=0.6, spines=("left", "bottom"))
        axes.set(xlim=(0, right), ylim=(0, 1.12 * fma))
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}")
        axes.set_xlabel("operations per byte", color=FAINT, fontsize=9)
        axes.text(0, 1.03, "GFLOP/s", transform=axes.transAxes, ha="right", color=FAINT, fontsize=9)
        axes.grid()
        axes.plot([0, fma / shared, right], [0, fma, fma], color=INK, linewidth=1.4)
        axes.annotate(f"FMA ceiling {fma:,.0f}", (right, fma), (-4, 5), ha="right", textcoords="offset points",
                      fontsize=9)  # fmt: skip
        axes.annotate(f"shared memory{'' if is_narrow(page) else f' {shared:,.0f} GB/s'}",
                      (0.35 * fma / shared, 0.35 * fma), (8, -4), textcoords="offset points", fontsize=9)  # fmt: skip
        for row in rows:
            axes.plot(row["place"], row["gflop_per_s"], "o", color=BLUE, markersize=6)
        slope = [(fma / shared * k / 50, fma * k / 50) for k in range(51)]  # no label across the line
        label_points(axes, [(row["place"], row["gflop_per_s"], row["kernel"], BLUE) for row in rows], slope)

    return Figure(
        f"gemm-registers-{gpu}",
        f"The rungs of chapter 19 under two roofs, {device}",
        f"A line rises with the operations for each byte of shared memory to {fma:,.0f} GFLOP/s, and is level from there. "
        f"Points below it for {len(rows)} rungs; the highest is {best['kernel']}, with {best['gflop_per_s']:,.0f}.",
        {"device": device, "fma": fma, "shared": shared, "kernels": rows},
        4.2,
        4.6,
        draw,
    )


PLOTS = [rungs]
