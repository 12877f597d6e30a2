"""Prints a table of hundreds of rows that a page's table sums up, as Markdown.

    python3 tools/pages long-table counters nvidia-h200      every launch, with all counters of the GPU and the emulator
    python3 tools/pages long-table sanitizers nvidia-h200    every program, with what the emulator and the tools said of it

Such a table is in no page: it is made of the files in docs/results. In the page is a line that names this command,
between two comments; docs/site/build_site.py puts the table in its place, folded.
"""

import sys


def pointer(kind, name, what):
    """The lines for the page."""
    return [f"<!-- long table: {kind} {name} -->", f"{what}: `python3 tools/pages long-table {kind} {name}` prints the table.",
            "<!-- end of long table -->"]  # fmt: skip


def folded(what, lines):
    """The table, as it stands on the site."""
    return "\n".join([f"<details><summary>{what}</summary>", "", *lines, "", "</details>"]) + "\n"


def main(arguments):
    import counter_tables  # these need the above
    import sanitizer_table

    tables = {"counters": counter_tables.long_table, "sanitizers": sanitizer_table.long_table}
    if len(arguments) != 2 or arguments[0] not in tables:
        sys.exit(f"long-table: want {' or '.join(tables)}, and a folder in docs/results")
    print(tables[arguments[0]](arguments[1]), end="")
    return 0
