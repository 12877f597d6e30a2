"""Pictures of chapter 22: stages that go round, between a thread that copies and warpgroups that multiply."""

from svg import Picture

from .parts import cell, heading, note


def stage_ring(phone=False):
    """Seven steps in three stages. A copy is 3 units in flight, two warpgroups multiply a step in 2."""
    steps, stages, way, use = 7, 3, 3, 2
    left, scale, height, pitch = (58, 17, 24, 32) if phone else (76, 37, 24, 34)
    picture = Picture(
        *((360, 236) if phone else (720, 226)), "A ring of three stages in time",
        "Three stages, one below the other, and time from left to right. In each, a copy is in flight, then its step "
        "is multiplied, then the next copy begins: step 3 follows step 0 in stage 0. From step 1 on, each step is "
        "multiplied as soon as the one before is done: while one stage is multiplied, the copies of the two others are "
        "in flight.",
    )  # fmt: skip
    heading(picture, 6 if phone else 20, 22, "step i is in stage i mod 3")
    top = 40
    ends = []
    for step in range(steps):
        asked = ends[step - stages] if step >= stages else step * 0.4
        start = max(asked + way, ends[-1] if ends else 0)
        ends.append(start + use)
        y = top + step % stages * pitch
        cell(picture, left + scale * asked, y, scale * way - 1, height, "line", f"copy {step}", small=True)
        cell(picture, left + scale * start, y, scale * use - 1, height, "a", str(step), pale=False)
    for stage in range(stages):
        note(picture, 6 if phone else 20, top + stage * pitch + 16, f"stage {stage}", colour="ink")
    y = top + stages * pitch + 18
    lines = ("Where a copy ends, full goes to its next phase;", "where a step ends, empty does.",
             "The second time round, both parities are 1.")  # fmt: skip
    note(picture, 6 if phone else 20, y, *lines)
    return picture


PICTURES = {"stage-ring": stage_ring}
