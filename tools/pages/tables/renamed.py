"""The present names of kernels that had another one when a GPU's results were recorded. A recorded file stays as it is."""

import re

# For each chapter what its program called them, and what it calls them now. `*` stands for what goes before or after.
NAMES = {
    "06_unroll": {"warp a row*": "warp per row*", "block a row": "block per row"},
    "09_gemm_unroll": {"asked early*": "prefetched*"},
    "10_reduction": {"four a thread": "four per thread"},
    "19_gemm_registers": {"a column": "8 x 1", "early": "double-buffered", "* in early": "* double-buffered",
                          "Early, with": "Sums"},
    "20_gemm_pipeline": {"read ahead": "register prefetch", "copiers": "producer warps", "shared out": "stream-k",
                         "many blocks": "small blocks"},
    "21_tensor_cores": {"read ahead*": "register prefetch*", "copiers*": "producer warps*", "any rows*": "aligned rows*",
                        "TF32, cut off*": "TF32, truncated*", "TF32, shared out*": "TF32, stream-k*",
                        "cut off, shared out*": "truncated, stream-k*", "shared out*": "stream-k*"},
    "22_hopper": {"two groups": "two consumers", "stays": "persistent", "by map": "TMA store"},
}  # fmt: skip
NAMES["tensor_clocks"] = NAMES["21_tensor_cores"]


def present(chapter, name):
    """What the kernel is called now."""
    for old, new in NAMES.get(chapter, {}).items():
        if found := re.fullmatch(re.escape(old).replace(r"\*", "(.*)"), name):
            return new.replace("*", found[1]) if "*" in new else new
    return name


def with_present_names(report):
    """The report with the present names in its rows, and where they begin a line that a program printed."""
    if not isinstance(report, dict):
        return report
    chapter = report.get("chapter")
    for row in report.get("kernels", []) + report.get("results", []):
        if isinstance(row, dict) and "kernel" in row:
            row["kernel"] = present(row.get("chapter", chapter), row["kernel"])
    if chapter in NAMES and "notes" in report:
        report["notes"] = [renamed_line(chapter, line) for line in report["notes"]]
    return report


def renamed_line(chapter, line):
    """A line of a table, which begins with a kernel's name; the columns after it stay where they are."""
    found = re.fullmatch(r"( *)(\S+(?: \S+)*)( {2,})(.*)", line)
    if not found:
        return line
    return found[1] + present(chapter, found[2]).ljust(len(found[2]) + len(found[3])) + found[4]
