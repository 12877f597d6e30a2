"""The plot of chapter 30: what all-reduce makes of a link, beside a copy both ways at once."""

import json

import results_files
from plotting import Figure, is_narrow
from rung_plots import WIDE, draw_groups, heading

LIMIT, LIBRARY = "peer copy", "NCCL"


def reached(gpu, _):
    file = results_files.RESULTS / gpu / "30_several_gpus.json"
    if not file.exists():
        return None
    report = json.loads(file.read_text())
    rates = {row["kernel"]: row["gb_per_s"] for row in report["results"]}
    limit = rates.pop(LIMIT)
    bars = [{"name": name, "rate": rate, "limit": limit, "ratio": None, "beside": name == LIBRARY}
            for name, rate in rates.items()]  # fmt: skip
    own = {name: rate for name, rate in rates.items() if name != LIBRARY}
    best = max(own, key=own.get)
    claim = f"All-reduce by {best}: {100 * own[best] / limit:.1f} % of what copies both ways have"
    below = f"2 x {report['device']}, {report['rows']:,} floats; bytes of the array / time, GB/s; grey: for comparison"
    called = f"copies both ways, each {limit:,.0f} GB/s"

    def draw(page):
        large, small = (9.5, 9) if is_narrow(page) else (12, 10.5)
        draw_groups(page, {"": bars}, called, "GB/s", heading(page, claim, below, large, small), large, small)

    words = ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items())
    return Figure(
        f"all-reduce-{gpu}",
        claim,
        f"{words} GB/s; {called}; two {report['device']}.",
        {"bars": bars, "below": below, "called": called},
        0.73 + 0.29 * len(bars),
        1.13 + 0.23 * len(bars),
        draw,
        WIDE,
    )


PLOTS = [reached]
