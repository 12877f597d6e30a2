"""The picture of the memories of a GPU. What it says of one was measured on it: docs/results."""

import json
import textwrap

from places import RESULTS
from svg import Picture

# Of compute capability 9.0: NVIDIA, CUDA C++ Programming Guide, "Compute Capabilities".
REGISTERS, LEVEL_1_KB, SHARED_KB = 65536, 256, 228


def memory_hierarchy(phone=False):
    results = json.loads((RESULTS / "nvidia-h200.json").read_text(encoding="utf-8"))
    device = results["device"]
    count, level_2 = device["multiprocessors"], device["l2_bytes"] / 2**20
    gigabytes, nanoseconds = device["memory_bytes"] / 1e9, results["latency"]["memory_ns"]
    bandwidth = results["ceilings"]["read"]["gb_per_s"]
    register_kb = REGISTERS * 4 // 1024
    if device["compute_capability"] != "9.0":
        raise ValueError("the registers and the level-1 cache of this picture are those of compute capability 9.0")
    picture = Picture(
        *((360, 760) if phone else (720, 574)), f"The memories of a GPU, and who shares them: {device['name']}",
        f"From the nearest to the farthest. Each of {count} multiprocessors has {register_kb} KB of registers, each "
        f"thread its own, and {LEVEL_1_KB} KB for shared memory, each block its own, and level-1 cache. All share a "
        f"level-2 cache of {level_2:g} MB and {gigabytes:.0f} GB of device memory, which was measured to deliver "
        f"{bandwidth:,.0f} GB/s and to answer a load after {nanoseconds:.0f} ns. The host has its own memory.",
        ".dashed{stroke-dasharray:4 3}",
    )  # fmt: skip
    left, right = (8, 352) if phone else (158, 704)
    shared_by = []

    def who(y, bold, explained):
        if phone:  # there is no room beside: all of it is below
            shared_by.append((bold, " ".join(explained)))
            return
        picture.text(20, y, bold, "ink", "start", "bold")
        for k, line in enumerate(explained):
            picture.text(20, y + 17 + 15 * k, line, "faint", "start", small=True)

    more = 17 if phone else 0
    picture.frame(left, 40, right - left, 335 + more, "ink", 1.8)
    picture.text(left, 28, device["name"], "ink", "start", "bold")
    if not phone:
        picture.text(20, 28, "Who shares it", "faint", "start", small=True)

    wide = 138 if phone else 146
    each = [(left + 14, 0), (left + 14 + wide + 12, 1), (right - 14 - wide, count - 1)]
    for x, number in each[::2] if phone else each:
        picture.frame(x, 54, wide, 156, "faint", 1.3)
        picture.text(x + wide / 2, 73, f"multiprocessor {number}")
        picture.rect(x + 8, 84, wide - 16, 42, "a", pale=True)
        picture.frame(x + 8, 84, wide - 16, 42, "a", 1.4)
        picture.text(x + wide / 2, 102, "registers", "ink")
        picture.text(x + wide / 2, 118, f"{register_kb} KB", "ink", small=True)
        picture.rect(x + 8, 134, wide - 16, 68, "c", pale=True)
        picture.frame(x + 8, 134, wide - 16, 68, "c", 1.4)
        picture.text(x + wide / 2, 152, "shared memory", "ink")
        picture.add(f'<path d="M{x + 8:g} 160H{x + wide - 8:g}" class="none c-line dashed" stroke-width="1.2"/>')
        picture.text(x + wide / 2, 176, "level-1 cache", "ink")
        picture.text(x + wide / 2, 193, f"{LEVEL_1_KB} KB together", "ink", small=True)
        picture.line(x + wide / 2, 210, x + wide / 2, 232, "faint", 1.6)
    last = left + 14 + wide if phone else left + 26 + 2 * wide
    picture.text((last + right - 14 - wide) / 2, 138, "…", "ink", weight="bold")
    who(102, "a thread", ["its registers"])
    who(150, "a block", ["its shared memory;", "level 1 is for all", "blocks that run there"])

    def bar(y, colour, name, lines):
        height = 28 + 17 * len(lines)
        picture.rect(left + 14, y, right - left - 28, height, colour, pale=True)
        picture.frame(left + 14, y, right - left - 28, height, colour, 1.4)
        picture.text(middle, y + 19, name, "ink", weight="bold")
        for k, line in enumerate(lines):
            picture.text(middle, y + 36 + 17 * k, line, "ink", small=True)

    middle = (left + right) / 2
    bar(232, "b", f"level-2 cache: {level_2:g} MB", ["one for all multiprocessors"])
    picture.line(middle, 277, middle, 297, "faint", 1.6)
    bar(297, "faint", f"device memory: {gigabytes:.0f} GB",
        ["global memory: what cudaMalloc gives",
         *([f"measured: {bandwidth:,.0f} GB/s read;", f"{nanoseconds:.0f} ns from a load to its answer"] if phone else
           [f"measured: {bandwidth:,.0f} GB/s read; {nanoseconds:.0f} ns from a load to its answer"])])  # fmt: skip
    who(251, "all threads", ["of all kernels", "see global memory,", "through the caches"])

    picture.line(middle, 389 + more, middle, 382 + more, "faint", 1.6, arrow=True)
    picture.line(middle, 389 + more, middle, 404 + more, "faint", 1.6, arrow=True)
    picture.text(middle + 14, 398 + more, "cudaMemcpy", "ink", "start", small=True)
    picture.frame(left, 410 + more, right - left, 34, "ink", 1.8)
    picture.text(middle, 431 + more, "host: the CPU's memory", "ink", weight="bold")
    who(424, "the CPU", ["copies what a", "kernel is to use"])

    capability = device["compute_capability"]
    notes = [
        "Measured in this course: bandwidth and latency of device memory. Reported by the device:",
        f"its {count} multiprocessors, the level-2 cache, the device memory. Fixed for compute capability {capability}",
        f"(NVIDIA, CUDA C++ Programming Guide): {REGISTERS:,} registers of 32 bits a multiprocessor; of its",
        f"{LEVEL_1_KB} KB at most {SHARED_KB} KB are shared memory. All registers: {count} × {register_kb} KB = "
        f"{count * register_kb / 1024:g} MB.",
        "Other GPUs have other numbers. KB, MB: 1,024 bytes, and 1,024 of these; GB: 10⁹ bytes.",
    ]
    if phone:
        y = 488
        picture.text(left, y, "Who shares it", "ink", "start", "bold")
        for bold, explained in shared_by:
            for k, line in enumerate(textwrap.wrap(explained, 40)):
                y += 19 if k == 0 else 15
                if k == 0:
                    picture.text(left, y, bold, "ink", "start", "bold", small=True)
                picture.text(left + 78, y, line, "faint", "start", small=True)
        for k, line in enumerate(textwrap.wrap(" ".join(notes), 52)):
            picture.text(left, y + 28 + 16 * k, line, "faint", "start", small=True)
        return picture
    for k, note in enumerate(notes):
        picture.text(20, 486 + 18 * k, note, "faint", "start", small=True)
    return picture


PICTURES = {"memory-hierarchy": memory_hierarchy}
