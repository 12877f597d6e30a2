"""What a page says about the emulator's counters and a GPU's: tables.py puts it between

    <!-- counters: nvidia-h200 -->
    <!-- end of counters -->

How many kernels of each theme agree; and which do not, with both figures and the reason. long_tables.py prints all. The
emulator has small kernels of its own, whose theme is a file of emulator/evidence/counters/kernels/, named by its first comment;
those of the chapters are a theme of their own. The GPU's counters and the emulator's come from the files that
emulator/evidence/counters/compare_counters.py compares.
"""

import re
import sys

import long_tables
from places import ROOT

import compare_counters  # isort: skip (places says where it is)

CHAPTERS = "Kernels of the chapters"
EXTENTS = {"--size", "--rows", "--cols", "--m", "--n", "--k"}  # the options that give a run its shape

# Counters that are together: their name, and how each of them is called there.
GROUPS = [
    ("loads", {"global_load_requests": "requests", "global_load_sectors": "sectors"}),
    ("stores", {"global_store_requests": "requests", "global_store_sectors": "sectors"}),
    ("shared loads", {"shared_load_instructions": "instructions", "shared_load_wavefronts": "wavefronts",
                      "shared_load_bank_conflicts": "conflicts"}),
    ("shared stores", {"shared_store_instructions": "instructions", "shared_store_wavefronts": "wavefronts",
                       "shared_store_bank_conflicts": "conflicts"}),
    ("atomics", {"global_atomic_requests": "requests", "global_atomic_sectors": "sectors",
                 "shared_atomic_instructions": "shared instructions", "shared_atomic_wavefronts": "wavefronts",
                 "shared_atomic_bank_conflicts": "conflicts"}),
]  # fmt: skip


def themes(root):
    """{micro-kernel: theme}, the first clause of its file's comment."""
    found = {}
    for path in (root / "emulator" / "evidence" / "counters" / "kernels").glob("*.cuh"):
        text = path.read_text(encoding="utf-8")
        comment = " ".join(re.match(r"/// @file\n((?:///.*\n)+)", text)[1].replace("///", " ").split())
        for kernel in re.findall(r"^\s+COUNTERS_(?:SHARED_)?KERNEL\(\s*(\w+),", text, re.MULTILINE):
            found[kernel] = re.split(r"[.:;](?: |$)", comment)[0]
    return found


def table(head, rows, figures=0):
    """Lines of a table whose last `figures` columns are figures."""
    lines = ["| " + " | ".join(head) + " |", "|---" * (len(head) - figures) + "|---:" * figures + "|"]
    return lines + ["| " + " | ".join(cells) + " |" for cells in rows]


def both(row, counter):
    """One figure where both sides agree."""
    gpu, emulator = row.gpu[counter], row.emulator[counter]
    return f"{gpu:,}" if gpu == emulator else f"{emulator:,} → {gpu:,}"


def kernel(row, chapters):
    """A kernel's name; for a kernel of one of the runs `chapters` also the chapter and the run's shape."""
    if row.run not in chapters:
        return f"`{row.instance}`"
    program, *options = chapters[row.run]
    extents = [f"{int(value):,}" for name, value in zip(options[::2], options[1::2]) if name in EXTENTS]
    return f"{program[:2]} `{row.instance}`, {' × '.join(extents)}"


def verdict(row):
    if row.equal:
        return "equal"
    return ", ".join(reason["name"] for reason in row.reasons) or "within 2 %"


def summary(rows, theme_of, chapters):
    """How many launches of each theme are equal, nearly equal, and different."""
    counts = {}
    for row in rows:
        theme = CHAPTERS if row.run in chapters else theme_of.get(row.instance)
        if theme is None:
            sys.exit(f"tables: {row.instance} is in no file of emulator/evidence/counters/kernels")
        count = counts.setdefault(theme, [0, 0, 0, 0])
        count[0] += 1
        count[1 if row.equal else 3 if row.differing else 2] += 1
    lines = [[theme, *(f"{value:,}" for value in count)] for theme, count in counts.items()]
    total = ["**all**", *(f"**{sum(column):,}**" for column in zip(*counts.values()))]
    return table(["what", "launches", "equal", "within 2 %", "different"], [*lines, total], 4)


def reasons(rows, exceptions):
    """The reasons, a sentence each, with the number of launches that each holds for."""
    counts = [sum(exception in row.reasons for row in rows) for exception in exceptions]
    return [f"- **{exception['name'][0].upper()}{exception['name'][1:]}** ({count}): {exception['reason']}"
            for exception, count in zip(exceptions, counts) if count]  # fmt: skip


def differences(row):
    """The counters that are further apart than they may be, with both figures."""
    groups = []
    for name, counters in GROUPS:
        parts = [f"{counters[c]} {both(row, c)}" for c in counters if c in row.differing]
        groups += [f"{name}: {', '.join(parts)}"] if parts else []
    return "; ".join(groups)


def cell(row, counters):
    """A few counters, both sides; nothing where there is nothing, a dash for one that the GPU's file lacks."""
    known = [counter for counter in counters if counter in row.gpu]
    if not any(row.gpu[counter] or row.emulator[counter] for counter in known):
        return ""
    return " / ".join(both(row, counter) if counter in known else "–" for counter in counters)


def everything(rows, chapters):
    """All launches with all counters."""
    head = ["kernel", "grid, block", *(f"{name}: {' / '.join(parts.values())}" for name, parts in GROUPS), "verdict"]
    shapes = [", ".join("×".join(map(str, extent)) for extent in (row.grid, row.block)) for row in rows]
    return table(head, [[kernel(row, chapters), shape, *(cell(row, counters) for _, counters in GROUPS), verdict(row)]
                        for row, shape in zip(rows, shapes)])  # fmt: skip


def of_emulator(root, gpu):
    """The files of the emulator's own kernels."""
    folder = root / "emulator" / "evidence" / "counters"
    return compare_counters.Files([folder / "runs.txt"], folder / gpu, folder / gpu / "counts.json",
                                  folder / gpu / "exceptions.json")  # fmt: skip


def of_chapters(root, gpu):
    """The files of the chapters' kernels."""
    results = root / "docs" / "results"
    return compare_counters.Files(sorted(root.glob("chapters/*/counted_runs.txt")),
                                  results / gpu / "counters" / "launches", results / "emulator" / "counters.json",
                                  results / gpu / "counter_exceptions.json")  # fmt: skip


def joined(exceptions):
    """One exception of each name. Where several have the same name, it is for the kernels of all of them."""
    by_name = {}
    for exception in exceptions:
        one = by_name.setdefault(exception["name"], exception | {"kernels": {}})
        if one["reason"] != exception["reason"]:
            sys.exit(f"tables: two reasons for '{one['name']}'")
        if twice := one["kernels"].keys() & exception["kernels"].keys():
            sys.exit(f"tables: two exceptions '{one['name']}' for {', '.join(sorted(twice))}")
        one["kernels"] |= exception["kernels"]
    return list(by_name.values())


def compared(gpu, root):
    """All launches, the exceptions, and the runs of the chapters."""
    rows, exceptions, errors = [], [], []
    try:
        for files in (of_emulator(root, gpu), of_chapters(root, gpu)):
            counted = compare_counters.read_gpu(files), compare_counters.read_counts(files.counts)
            more, wrong = compare_counters.compare(*counted)
            rows, errors = rows + more, errors + wrong
            exceptions += compare_counters.read_exceptions(files.exceptions)
        chapters = compare_counters.read_runs(of_chapters(root, gpu))
    except compare_counters.BadInput as error:
        sys.exit(f"tables: {error}")
    exceptions = joined(exceptions)
    errors += compare_counters.judge(rows, exceptions)
    if errors:
        sys.exit(f"tables: emulator/evidence/counters/compare_counters.py finds {len(errors)} errors; the first: {errors[0]}")
    return rows, exceptions, chapters


def title(rows):
    return f"All {len(rows)} launches, counter by counter"


def long_table(gpu, root=ROOT):
    """All launches with all counters."""
    rows, _, chapters = compared(gpu, root)
    about = "One figure where both sides are equal, *emulator → GPU* where not, none where all are 0."
    return long_tables.folded(title(rows), [about, "", *everything(rows, chapters)])


def block(gpu, root=ROOT):
    """What belongs between the two comments."""
    rows, exceptions, chapters = compared(gpu, root)
    different = [[kernel(row, chapters), differences(row), verdict(row)] for row in rows if row.differing]
    lines = [
        *summary(rows, themes(root), chapters),
        "",
        "If a launch differs in any counter, the reason is one of these:",
        "",
        *reasons(rows, exceptions),
        "",
        *table(["kernel", "emulator → GPU", "reason"], different),
        "",
        *long_tables.pointer("counters", gpu, title(rows)),
    ]
    return "\n".join(lines) + "\n"
