"""Tables of shapes drawn at random: how the ratios to cuBLAS are distributed, and where they are least."""

import math
import sys

import result_tables
import results_files
from results_files import all_gpus, dashed, load, number, size

WORST = 5  # shapes that are named


def parts(name):
    """The files, one a GPU, and the kernels that `gpu#chapter` or `gpu#chapter:kernel,kernel` names."""
    gpu, _, rest = name.partition("#")
    chapter, _, kernels = rest.partition(":")
    if not chapter:
        sys.exit(f"tables: want gpu#chapter of shapes that were drawn, got {name}")
    having = [each for each in all_gpus() if (results_files.RESULTS / each / "drawn" / f"{chapter}.json").is_file()]
    if gpu != "gpus" and gpu not in having:
        sys.exit(f"tables: {gpu} has no drawn shapes of {chapter}")
    wanted = kernels.split(",") if kernels else []
    return [one for one in having if gpu in ("gpus", one)], chapter, wanted


def rows_by_kernel(report, wanted):
    rows = {}
    for row in report["kernels"]:
        if not wanted or dashed(row["kernel"]) in wanted:
            rows.setdefault(row["kernel"], []).append(row)
    if not rows:
        sys.exit(f"tables: no kernel of {wanted} at drawn shapes")
    return rows


def percentile(ordered, share):
    """The upper end of this share, as the bench has it."""
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratio(row):
    """To the library that the kernel took turns with: cuBLAS, or the one that the row names."""
    return row["ratio_to_library"] if "library" in row else row["ratio_to_cublas"]


def in_eights(row):
    """Of products in BF16: whether all extents are multiples of 8, so that every row begins on 16 bytes."""
    return all(row[extent] % 8 == 0 for extent in ("rows", "cols", "inner"))


def by_alignment(kernels):
    """Products are split where most kernels are another: by whether rows begin anywhere, and C is read."""
    for kernel, rows in kernels.items():
        yield kernel, rows
        if "ldc" in rows[0]:
            yield f"{kernel}, odd leading dimensions", [row for row in rows if row["ldc"] % 2]
            yield f"{kernel}, rows on 16 bytes", [row for row in rows if not row["ldc"] % 2]
            yield f"{kernel}, beta ≠ 0", [row for row in rows if row["beta"] != 0]
            yield f"{kernel}, beta = 0", [row for row in rows if row["beta"] == 0]
        if "BF16" in rows[0]["bound"]:
            yield f"{kernel}, multiples of 8", [row for row in rows if in_eights(row)]
            yield f"{kernel}, others", [row for row in rows if not in_eights(row)]


def distribution(report, wanted):
    """One line a kernel: all its ratios, from the least to the mean."""
    lines = []
    for kernel, rows in by_alignment(rows_by_kernel(report, wanted)):
        ratios = sorted(map(ratio, rows))
        below = sum(one < 1 for one in ratios)
        lines.append([kernel, number(len(ratios)), f"{ratios[0]:.2f}", f"{percentile(ratios, 0.05):.2f}",
                      f"{percentile(ratios, 0.5):.2f}", f"{geometric_mean(ratios):.2f}",
                      f"{100 * below / len(ratios):.0f} %"])  # fmt: skip
    library = report["kernels"][0].get("library", "cuBLAS")
    version = f" {report['software']['cublas']}" if library == "cuBLAS" else ""
    head = ["kernel", "shapes", f"least × {library}", "5 %", "median", "geometric mean", "below 1"]
    samples = min(row["samples"] for row in report["kernels"])
    return result_tables.lines_of(
        head,
        lines,
        f"{report['device']['name']}, {library}{version}; {report['drawn']['shapes']:,} shapes of "
        f"seed {report['drawn']['seed']}, cold, {samples:,} samples or more.",
    )


def worst(report, wanted):
    """The shapes at which a kernel loses most, by name."""
    lines = []
    for kernel, rows in rows_by_kernel(report, wanted).items():
        for row in sorted(rows, key=lambda one: one["ratio_to_cublas"])[:WORST]:
            where = size(row) + (", not aligned to 16 bytes" if row["offset"] else "")
            if "ldc" in row:
                forms = ["odd leading dimensions"] * (row["ldc"] % 2) + ["beta ≠ 0"] * (row["beta"] != 0)
                where = ", ".join([size(row), *forms])
            lines.append([kernel, where, f"{row['ratio_to_cublas']:.2f}",
                          f"{row['median_ms']:.4f}", f"{row['p10_ms']:.4f} … {row['p90_ms']:.4f}",
                          f"{row['cublas_median_ms']:.4f}",
                          f"{row['cublas_p10_ms']:.4f} … {row['cublas_p90_ms']:.4f}"])  # fmt: skip
    head = ["kernel", "shape", "× cuBLAS", "median ms", "10 % … 90 %", "cuBLAS ms", "10 % … 90 %"]
    below = f"{report['device']['name']}, the same run; the {WORST} least of each kernel."
    return result_tables.lines_of(head, lines, below, words=2)


def block(kind, names):
    make = {"distribution": distribution, "worst": worst}[kind]
    tables = []
    for name in names:
        having, chapter, wanted = parts(name)
        tables += [make(load(f"{gpu}/drawn/{chapter}"), wanted) for gpu in having]
    return "\n".join(tables)
