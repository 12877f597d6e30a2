"""The plot of chapter 24: what the wavefronts of its atomics allow, against the speed at which bytes come."""

import json

import results_files
from plotting import Figure, is_narrow
from rung_plots import WIDE, draw_groups, heading

CHAPTER, BYTES = "24_histogram", 32  # a warp's atomic counts a byte for each lane
INPUTS = ("random", "sorted", "skewed", "equal")
SHOWN = ("random", "skewed", "equal")


def wavefronts():
    """Of each kernel and input: the wavefronts of an atomic, as the chapter's program counts them on the emulator."""
    path = results_files.RESULTS / "emulator" / f"{CHAPTER}.json"
    if not path.is_file():
        return {}
    notes = json.loads(path.read_text(encoding="utf-8"))["notes"]
    start = next(at for at, line in enumerate(notes) if line.split() == list(INPUTS)) + 1
    rows = (line.rsplit(maxsplit=len(INPUTS)) for line in notes[start:])
    return {kernel.strip(): dict(zip(INPUTS, map(float, counts))) for kernel, *counts in rows}


def allowed(gpu, report):
    """At one wavefront per clock and multiprocessor."""
    counted = wavefronts()
    device, limit = report["device"], report["ceilings"]["read"]["gb_per_s"]
    if not counted or device["compute_capability"] != "9.0":
        return None  # what a wavefront costs elsewhere is not known
    clocks = device["multiprocessors"] * device["max_sm_mhz"] / 1000  # in 10^9 per second
    groups = {f"{name} bytes": [{"name": kernel, "rate": BYTES / of[name] * clocks, "limit": limit, "ratio": None,
                                 "beside": False} for kernel, of in counted.items()] for name in SHOWN}  # fmt: skip
    best = counted["own bank"]
    claim = "Predicted: a bank per lane suits every input"
    below = f"{device['name']}: what one wavefront per clock allows; GB/s"
    called = f"read ceiling {limit:,.0f} GB/s"

    def draw(page):
        large, small = (9.5, 9) if is_narrow(page) else (12, 10.5)
        draw_groups(page, groups, called, "GB/s", heading(page, claim, below, large, small), large, small)

    random = {kernel: BYTES / of["random"] * clocks for kernel, of in counted.items()}
    lines = sum(len(group) for group in groups.values()) + len(groups)
    return Figure(
        f"histogram-wavefronts-{gpu}",
        claim,
        f"For random bytes from {min(random.values()):,.0f} to {max(random.values()):,.0f} GB/s, for each input "
        f"{BYTES / best['equal'] * clocks:,.0f} with a bank per lane; {called}; {device['name']}.",
        {"groups": groups, "below": below, "called": called},
        0.73 + 0.29 * lines,
        1.13 + 0.23 * lines,
        draw,
        WIDE,
    )


PLOTS = [allowed]
