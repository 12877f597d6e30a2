"""The plot of chapter 28: what clocks allow, if exponentials wait for products and if they run behind them."""

from plotting import Figure, is_narrow
from rung_plots import WIDE, draw_groups, heading

# Of a multiprocessor with compute capability 9.0, per clock: operations of tensor cores on BF16, and exponentials.
OPERATIONS, EXPONENTIALS = 4096, 16
HEAD_SIZES = (128, 64)


def share_of_products(size):
    """Of the time, if exponentials and products alternate: each score takes one exponential and two products."""
    products = 4 * size / OPERATIONS
    return products / (products + 1 / EXPONENTIALS)


def allowed(gpu, report):
    device = report["device"]
    if device["compute_capability"] != "9.0":
        return None  # other multiprocessors have other rates
    peak = OPERATIONS * device["multiprocessors"] * device["max_sm_mhz"] / 1000  # in 10^9 per second
    groups = {f"heads of {size}": [{"name": name, "rate": peak * share, "limit": peak, "ratio": None, "beside": False}
                                   for name, share in (("one by one", share_of_products(size)), ("in turns", 1.0))]
              for size in HEAD_SIZES}  # fmt: skip
    claim = "Predicted: exponentials cost a third to a half, or nothing"
    below = f"{device['name']} at {device['max_sm_mhz']:,} MHz: what clocks of both units allow; TFLOP/s"
    called = f"tensor cores {peak / 1000:,.0f} TFLOP/s"

    def draw(page):
        large, small = (9.5, 9) if is_narrow(page) else (12, 10.5)
        draw_groups(page, groups, called, "TFLOP/s", heading(page, claim, below, large, small), large, small)

    lines = sum(len(group) for group in groups.values()) + len(groups)
    one_by_one = " and ".join(f"{peak * share_of_products(size) / 1000:,.0f} (heads of {size})" for size in HEAD_SIZES)
    return Figure(
        f"attention-predicted-{gpu}",
        claim,
        f"One by one {one_by_one} TFLOP/s, in turns {peak / 1000:,.0f}: all that tensor cores have; {device['name']}.",
        {"groups": groups, "below": below, "called": called},
        0.73 + 0.29 * lines,
        1.13 + 0.23 * lines,
        draw,
        WIDE,
    )


PLOTS = [allowed]
