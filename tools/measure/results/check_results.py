#!/usr/bin/env python3
"""Checks files that ./course measure wrote.

    tools/measure/results/check_results.py [FILE...]

Without arguments: every docs/results/*.json, docs/results/*/measured/*.json and docs/results/*/drawn/*.json. Each is
held against docs/results/schema.json, and against itself: percentiles in order, rates, percentages and ratios as the times and bytes give them,
no ceiling above the theoretical, no kernel twice, nothing that its version did not have. And every JSON file below
docs/results, and of those that the emulator is compared with, has to be a row a line, as emulator/tests/json_rows.py
writes it. Prints every contradiction; the exit status is 1 if there is one.
"""

import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(ROOT / "emulator" / "tests"))
import json_rows  # noqa: E402
from json_schema import schema_errors  # noqa: E402

RESULTS = ROOT / "docs" / "results"
SCHEMA = RESULTS / "schema.json"
RECORDED = ROOT / "emulator" / "counters"  # by a GPU, or counted by the emulator, beside its sources
BY_HAND = {"schema.json", "counter_exceptions.json", "exceptions.json"}  # these have the form that is read best

LINKS = ("bus", "host to device", "device to host")  # ceilings of copies, which launch nothing
WARP = ("mma BF16", "mma FP16", "mma TF32")  # ceilings of tensor cores: a warp multiplies
MATRIX = (*WARP, "wgmma BF16")  # or a warpgroup does
ARITHMETIC = ("fma", *MATRIX)
OURS = {"ours row-major", "ours column-major"}


def close(value, expected):
    return math.isclose(value, expected, rel_tol=1e-6)


def order_errors(timed, where, median="median_ms", unit="ms"):
    if timed[f"p10_{unit}"] <= timed[median] <= timed[f"p90_{unit}"]:
        return []
    return [f"{where}: the median is not between the percentiles"]


def version_errors(report):
    """What the file has that its version did not have."""
    version = report["schema_version"]
    errors = ["latency: came with version 2"] if "latency" in report and version < 2 else []
    for name, came in (("bytes_in_flight", 2), ("inner", 2), ("library", 3)):
        if version < came and any(name in row for row in report["kernels"]):
            errors.append(f"{name}: came with version {came}")
    if version < 8 and any("ldc" in row for row in report["kernels"]):
        errors.append("ldc: came with version 8")
    if version < 7:
        errors += ["ceiling wgmma BF16: came with version 7"] if "wgmma BF16" in report["ceilings"] else []
    if version < 6:
        errors += [f"ceiling {name}: came with version 6" for name in WARP if name in report["ceilings"]]
    if version < 5:
        errors += ["drawn: came with version 5"] if "drawn" in report else []
    if version < 4:
        errors += [f"ceiling {name}: came with version 4" for name in LINKS if name in report["ceilings"]]
    return errors


def latency_errors(report):
    if "latency" not in report:
        return []
    return order_errors(report["latency"], "latency", "memory_ns", "ns")


def ceiling_errors(report):
    errors = []
    for name, ceiling in report["ceilings"].items():
        where = f"ceiling {name}"
        errors += order_errors(ceiling, where)
        rate, work, other = ("gflop_per_s", "operations", "gb_per_s") if name in ARITHMETIC else (
            "gb_per_s", "bytes", "gflop_per_s")  # fmt: skip
        if ceiling[rate] is None or ceiling[other] is not None:
            errors.append(f"{where}: wants {rate}, and no {other}")
            continue
        if not close(ceiling[rate], ceiling[work] / ceiling["median_ms"] / 1e6):
            errors.append(f"{where}: {rate} is not {work} / median_ms")
        if (ceiling["blocks_per_multiprocessor"] == 0) != (name in LINKS):
            errors.append(f"{where}: copies over the link, and only they, are no launch")
        peak = None if name in MATRIX else report["device"][f"theoretical_{rate}"]
        if peak is not None and ceiling[rate] > peak:
            errors.append(f"{where}: more than the theoretical {peak}")
    return errors


def drawn_errors(report):
    """Shapes that were drawn come with the spread of both sides, and others with neither; but against another library
    than cuBLAS these do not."""
    errors = []
    for row in report["kernels"]:
        if "drawn" in report and "library" in row:
            continue
        where = f"{row['chapter']}, {row['kernel']}, {row['rows']} x {row['cols']}"
        if any((key in row) != ("drawn" in report) for key in ("offset", "cublas_p10_ms", "cublas_p90_ms")):
            errors.append(f"{where}: offset and cuBLAS's percentiles belong to drawn shapes, and only to them")
        elif len({"lda", "ldb", "ldc", "alpha", "beta"} & row.keys()) not in (0, 5):
            errors.append(f"{where}: leading dimensions, alpha and beta belong together")
        elif "lda" in row and not (row["lda"] >= row["inner"] and min(row["ldb"], row["ldc"]) >= row["cols"]):
            errors.append(f"{where}: a leading dimension is less than a row is long")
        elif "drawn" in report and not row["cublas_p10_ms"] <= row["cublas_median_ms"] <= row["cublas_p90_ms"]:
            errors.append(f"{where}: cuBLAS's median is not between its percentiles")
    kernels = [(row["chapter"], row["kernel"]) for row in report["kernels"]]
    if "drawn" in report and any(kernels.count(one) > report["drawn"]["shapes"] for one in set(kernels)):
        errors.append(f"more than the {report['drawn']['shapes']} shapes that were drawn")
    return errors


def kernel_errors(report):
    errors = []
    seen = set()
    for row in report["kernels"]:
        inner = f" x {row['inner']}" if "inner" in row else ""
        where = f"{row['chapter']}, {row['kernel']}, {row['rows']} x {row['cols']}{inner}, {row['cache']}"
        errors += order_errors(row, where)
        if row["chapter"] == "28_attention":  # inner is a head's size, and each head has two products
            pass
        elif inner and row["bound"] not in ARITHMETIC:  # which bounds others, too: solvers, contractions
            errors.append(f"{where}: only products of matrices have inner, and their bound is fma, mma or wgmma")
        elif inner and row["operations"] != 2 * row["rows"] * row["cols"] * row["inner"]:
            errors.append(f"{where}: operations are not 2 rows cols inner")
        if row["kernel"] in OURS and row["kernel"] != f"ours {row['layout']}":
            errors.append(f"{where}: is {row['layout']}")
        if where in seen and "drawn" not in report:  # chance may draw a shape twice
            errors.append(f"{where}: is there twice")
        seen.add(where)
        for rate, work in (("gb_per_s", "bytes"), ("gflop_per_s", "operations")):
            if not close(row[rate], row[work] / row["median_ms"] / 1e6):
                errors.append(f"{where}: {rate} is not {work} / median_ms")
        rate = "gflop_per_s" if row["bound"] in ARITHMETIC else "gb_per_s"
        if row["bound"] not in report["ceilings"]:
            errors.append(f"{where}: its ceiling, {row['bound']}, was not measured")
            continue
        ceiling = report["ceilings"][row["bound"]][rate]
        if ceiling is not None and not close(row["percent_of_ceiling"], 100 * row[rate] / ceiling):
            errors.append(f"{where}: percent_of_ceiling is not 100 {rate} / ceiling")
        ratio, library = row["ratio_to_cublas"], row["cublas_median_ms"]
        if (ratio is None) != (library is None) or (ratio is None) != (row["layout"] == "vector" or "library" in row):
            errors.append(f"{where}: matrix kernels without another library, and only they, are compared with cuBLAS")
        elif ratio is not None and not close(ratio, library / row["median_ms"]):
            errors.append(f"{where}: ratio_to_cublas is not cublas_median_ms / median_ms")
        of_a_library = [row.get(key) for key in ("library", "library_median_ms", "ratio_to_library")]
        if any(of_a_library):
            name, its_ms, ratio = of_a_library
            if not all(of_a_library) or not close(ratio, its_ms / row["median_ms"]):
                errors.append(f"{where}: ratio_to_library is not library_median_ms / median_ms of a library")
            elif row["ratio_to_cublas"] is not None:
                errors.append(f"{where}: is compared with cuBLAS and with {name}")
    return errors


def slug(device):
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def file_errors(path, published):
    """What is wrong with a file. A published one, under docs/results/, is also what it is called."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [f"cannot be read: {error}"]
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    errors = schema_errors(report, schema, schema)
    if errors:
        return errors  # the rest takes the form for granted
    errors = version_errors(report) + latency_errors(report)
    errors += ceiling_errors(report) + kernel_errors(report) + drawn_errors(report)
    if published and report["quick"]:
        errors.append("a quick look is no result")
    gpu = slug(report["device"]["name"])
    chapters = sorted({row["chapter"] for row in report["kernels"]})
    part = "drawn" if "drawn" in report else path.parent.name
    name = f"{gpu}/{part}/{'+'.join(chapters)}.json" if part in ("drawn", "measured") else f"{gpu}.json"
    if published and not path.as_posix().endswith(f"/{name}"):
        errors.append(f"should be called {name}")
    return errors


def form_errors(path):
    """Whether the file is a row a line."""
    try:
        text = path.read_text(encoding="utf-8")
        good = text == json_rows.text_of(json_rows.parsed(text))
    except (OSError, ValueError) as error:
        return [f"cannot be read: {error}"]
    where = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return [] if good else [f"is not a row a line: python3 emulator/tests/json_rows.py {where}"]


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    paths = named or sorted({*RESULTS.glob("*.json"), *RESULTS.glob("*/measured/*.json"), *RESULTS.glob("*/drawn/*.json")}
                            - {SCHEMA})  # fmt: skip
    rows = [] if named else sorted(path for folder in (RESULTS, RECORDED) for path in folder.rglob("*.json")
                                   if path.name not in BY_HAND)  # fmt: skip
    wrong = 0
    for path in dict.fromkeys([*paths, *rows]):
        errors = file_errors(path, published=not named) if path in paths else []
        errors += form_errors(path) if path in rows else []
        wrong += bool(errors)
        for error in errors:
            print(f"{path.name}: {error}")
    print(f"{len(paths)} files of results checked, and the form of {len(rows)}; {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
