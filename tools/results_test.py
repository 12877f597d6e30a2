#!/usr/bin/env python3
"""Tests of check_results.py, page_tables.py and plots.py with the bench's sample, whole and broken."""

import contextlib
import copy
import io
import json
import pathlib
import re
import tempfile
import unittest

import check_results
import page_tables
import plots

try:
    import matplotlib
except ImportError:
    matplotlib = None

SAMPLE = pathlib.Path(__file__).resolve().parent / "measure" / "sample-gpu.json"
LATENCY = {"memory_ns": 500.0, "samples": 31, "p10_ns": 490.0, "p90_ns": 520.0}


def sample():
    """The sample with all that version 2 brought: 512 000 bytes in flight are 1024 GB/s, half the ceiling."""
    report = json.loads(SAMPLE.read_text(encoding="utf-8"))
    report |= {"schema_version": 2, "latency": dict(LATENCY)}
    report["kernels"] = [row for row in report["kernels"] if not row["kernel"].startswith("ours ")]
    for row in report["kernels"]:
        row.pop("bytes_in_flight", None)
        if row["kernel"] == "float4":
            row["bytes_in_flight"] = 512000
    return report


def like(row, **values):
    return copy.deepcopy(row) | values


def product(report, m=4096, n=4096, k=4096, **values):
    """A product of matrices as the sample would have it: 8192 GFLOP/s, half the ceiling."""
    row = like(next(row for row in report["kernels"] if row["kernel"] == "cuBLAS row-major"), chapter="08_gemm_tiling",
               kernel="tiled", rows=m, cols=n, inner=k, operations=2 * m * n * k, bytes=4 * (m * k + k * n + m * n),
               bound="fma", gflop_per_s=8192.0, percent_of_ceiling=50.0)  # fmt: skip
    ms = row["operations"] / 8192e6
    row |= {"median_ms": ms, "p10_ms": ms / 2, "p90_ms": 2 * ms, "cublas_median_ms": ms / 4, "ratio_to_cublas": 0.25,
            "gb_per_s": row["bytes"] / ms / 1e6}  # fmt: skip
    return row | values


class CheckResults(unittest.TestCase):
    def setUp(self):
        self.report = sample()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def errors(self, report, name="sample-gpu.json", published=True):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(json.dumps(report), encoding="utf-8")
        return check_results.file_errors(path, published)

    def test_the_sample_is_right(self):
        self.assertEqual(self.errors(json.loads(SAMPLE.read_text(encoding="utf-8"))), [])

    def test_version_2_may_have_latency_and_bytes_in_flight_and_version_1_has_neither(self):
        self.assertEqual(self.errors(self.report), [])
        self.report["schema_version"] = 1
        self.assertEqual(len(self.errors(self.report)), 2)
        del self.report["latency"]
        for row in self.report["kernels"]:
            row.pop("bytes_in_flight", None)
        self.assertEqual(self.errors(self.report), [])
        self.report["schema_version"] = 2
        self.assertEqual(self.errors(self.report), [])

    def test_products_have_a_third_extent_and_their_own_ceiling(self):
        self.report["kernels"] += [product(self.report), product(self.report, k=100)]
        self.assertEqual(self.errors(self.report), [])
        breaks = {
            "bound": ("read", "and only they, have inner"),
            "inner": (99, "operations are not 2 rows cols inner"),
            "percent_of_ceiling": (49.0, "percent_of_ceiling is not"),
        }
        for name, (value, message) in breaks.items():
            with self.subTest(name):
                report = copy.deepcopy(self.report)
                report["kernels"][-1][name] = value
                errors = self.errors(report)
                self.assertTrue(any(message in error for error in errors), errors)
        for message, spoil in {
            "is there twice": lambda r: r["kernels"].append(r["kernels"][-1]),
            "and only they, have inner": lambda r: r["kernels"][1].update(inner=5),
            "inner: came with version 2": lambda r: r.update(schema_version=1),
            "is less than 1": lambda r: r["kernels"][-1].update(inner=0),
        }.items():
            with self.subTest(message):
                report = copy.deepcopy(self.report)
                spoil(report)
                errors = self.errors(report)
                self.assertTrue(any(message in error for error in errors), errors)

    def test_each_break_is_found(self):
        def kernel(name, value, row=1):
            return lambda r: r["kernels"][row].__setitem__(name, value)

        def ceiling(kind, **values):
            return lambda r: r["ceilings"][kind].update(values)

        breaks = {
            "a figure missing": (lambda r: r["kernels"][0].pop("median_ms"), "lacks median_ms"),
            "a figure too many": (kernel("host", "x"), "unknown host"),
            "another version": (lambda r: r.update(schema_version=3), "schema_version"),
            "half a latency": (lambda r: r["latency"].pop("samples"), "lacks samples"),
            "no latency at all": (lambda r: r["latency"].update(memory_ns=0), "is not more than 0"),
            "latency beside its percentiles": (
                lambda r: r["latency"].update(p10_ns=510), "not between"),
            "half a byte": (kernel("bytes_in_flight", 512.5), "is no integer"),
            "no byte": (kernel("bytes_in_flight", 0), "is less than 1"),
            "ours the wrong way round": (kernel("kernel", "ours row-major"), "is column-major"),
            "true for one": (lambda r: r.update(schema_version=True), "schema_version"),
            "no kernels": (lambda r: r.update(kernels=[]), "less than 1 elements"),
            "no samples": (kernel("samples", 0), "samples"),
            "half a sample": (kernel("samples", 100.5), "is no integer"),
            "a time of nothing": (kernel("median_ms", 0), "is not more than 0"),
            "not a number": (kernel("median_ms", float("nan")), "is no number"),
            "a word for a number": (kernel("median_ms", "0.25"), "is no number"),
            "true for a number": (lambda r: r["device"].update(multiprocessors=True), "is no integer"),
            "unverified before": (kernel("verified_before", False), "is not true"),
            "unverified after": (kernel("verified_after", False), "is not true"),
            "an unknown layout": (kernel("layout", "diagonal"), "is none of"),
            "an unknown bound": (kernel("bound", "speed"), "is none of"),
            "a local date": (lambda r: r.update(date="2026-01-31 12:00"), "does not match"),
            "no fma": (lambda r: r["ceilings"].pop("fma"), "lacks fma"),
            "median below": (kernel("p10_ms", 0.26), "not between"),
            "median above": (kernel("p90_ms", 0.24), "not between"),
            "ceiling's median": (ceiling("read", p90_ms=0.4), "not between"),
            "wrong rate": (kernel("gb_per_s", 2050), "gb_per_s is not"),
            "wrong operations": (kernel("gflop_per_s", 1000), "gflop_per_s is not"),
            "wrong percentage": (kernel("percent_of_ceiling", 99), "percent_of_ceiling"),
            "wrong ratio": (kernel("ratio_to_cublas", 0.5), "ratio_to_cublas"),
            "no ratio": (kernel("ratio_to_cublas", None), "compared with cuBLAS"),
            "a ratio too many": (kernel("ratio_to_cublas", 1, row=0), "compared with cuBLAS"),
            "wrong ceiling": (ceiling("copy", gb_per_s=1500), "ceiling copy"),
            "a ceiling of both": (ceiling("fma", gb_per_s=1), "ceiling fma"),
            "beyond the theoretical": (
                lambda r: r["device"].update(theoretical_gb_per_s=2000), "more than the theor"),
            "fma beyond it": (
                lambda r: r["device"].update(theoretical_gflop_per_s=16000), "more than the theor"),
            "twice": (lambda r: r["kernels"].append(r["kernels"][0]), "twice"),
            "a quick look": (lambda r: r.update(quick=True), "quick"),
            "another GPU": (lambda r: r["device"].update(name="Other"), "should be called other.json"),
        }  # fmt: skip
        for name, (spoil, message) in breaks.items():
            with self.subTest(name):
                report = copy.deepcopy(self.report)
                spoil(report)
                errors = self.errors(report)
                self.assertTrue(any(message in error for error in errors), errors)

    def test_a_file_of_ones_own_may_be_quick_and_have_any_name(self):
        self.report["quick"] = True
        self.assertEqual(self.errors(self.report, "mine.json", published=False), [])

    def test_half_a_file_is_one_error(self):
        path = pathlib.Path(self.folder.name) / "half.json"
        path.write_text(SAMPLE.read_text(encoding="utf-8")[:1000], encoding="utf-8")
        self.assertEqual(len(check_results.file_errors(path, False)), 1)

    def test_without_nvml_clocks_are_null(self):
        nothing = {name: None for name in self.report["kernels"][0]["clocks"]} | {"samples": 0}
        for row in self.report["kernels"] + list(self.report["ceilings"].values()):
            row["clocks"] = nothing
        self.report["software"]["driver"] = None
        self.report["device"]["max_sm_mhz"] = None
        self.assertEqual(self.errors(self.report), [])

    def test_an_unknown_keyword_of_the_schema_is_no_silent_pass(self):
        with self.assertRaises(SystemExit):
            check_results.schema_errors(1, {"maximum": 0}, {})


class WithTwoGpus(unittest.TestCase):
    """Two files of results in a folder of their own: an H200's, and one of a GPU that did less."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name) / "results"
        self.results.mkdir()
        self.addCleanup(setattr, page_tables, "RESULTS", page_tables.RESULTS)
        self.addCleanup(setattr, page_tables, "GOALS", page_tables.GOALS)
        page_tables.RESULTS = self.results
        page_tables.GOALS = self.results.parent / "goals.json"
        (self.results / "schema.json").write_text("{}", encoding="utf-8")
        self.h200, self.other = sample(), sample()
        self.h200["device"]["name"] = "NVIDIA H200"
        self.other["device"]["name"] = "A GPU"
        self.other["kernels"] = [row for row in self.other["kernels"] if row["cols"] == 1]
        self.write()

    def write(self):
        for name, report in ("nvidia-h200", self.h200), ("a-gpu", self.other):
            (self.results / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")

    def kernel(self, name):
        return next(row for row in self.h200["kernels"] if row["kernel"] == name and row["cache"] == "cold")


class ForEachGpu(WithTwoGpus):
    def test_a_table_for_each_gpu_that_has_the_shape_and_the_h200_first(self):
        text = page_tables.block("results", ["gpus#00_first_kernel@16384"])
        self.assertLess(text.index("NVIDIA H200, 16,384"), text.index("A GPU, 16,384"))
        self.assertEqual(text.count("| kernel |"), 2)
        text = page_tables.block("results", ["gpus#06_unroll@16384x8192"])
        self.assertIn("NVIDIA H200", text)
        self.assertNotIn("A GPU", text)

    def test_refused(self):
        for names in (
            ["gpus#06_unroll@1x1"],  # no GPU has it
            ["gpus#06_unroll@16384"],  # both have the shape, neither the chapter
            ["gpus#06_unroll@16384x8192", "nvidia-h200#07_cublas@16384x8192"],
        ):
            with self.subTest(names), self.assertRaises(SystemExit):
                page_tables.block("results", names)

    def test_a_first_line_without_a_last_one_is_no_silent_pass(self):
        text = "<!-- results: a -->\nprose\n<!-- goals: gpus -->\n<!-- end of goals -->\n"
        self.assertEqual(len(page_tables.BLOCK.findall(text)), 1)
        self.assertEqual(len(page_tables.FIRST_LINE.findall(text)), 2)


class Predictions(WithTwoGpus):
    def lines(self, name="gpus#06_unroll,07_cublas@16384x8192"):
        self.write()
        return page_tables.block("predictions", [name]).splitlines()

    def test_half_the_bytes_are_half_the_ceiling(self):
        lines = self.lines()
        self.assertEqual(lines[2:4], ["| float4 | 512,000 | 1,024 | 2,048 | 200 % |", ""])
        self.assertIn("memory answers after 500 ns, the read ceiling is 2,048 GB/s", lines[-1])
        self.assertIn("it takes 1,024,000 bytes on their way", lines[-1])

    def test_more_bytes_than_enough_are_the_ceiling(self):
        self.kernel("float4")["bytes_in_flight"] = 10**9
        self.assertEqual(self.lines()[2], "| float4 | 1,000,000,000 | 2,048 | 2,048 | 100 % |")

    def test_without_a_latency_or_a_count_there_is_none(self):
        del self.kernel("float4")["bytes_in_flight"]
        with self.assertRaises(SystemExit):
            self.lines()
        self.kernel("float4")["bytes_in_flight"] = 1
        del self.h200["latency"]
        with self.assertRaises(SystemExit):
            self.lines()


class Goals(WithTwoGpus):
    GOAL = {"layout": "row-major", "rows": 16384, "cols": 8192, "cache": "cold"}

    def rows(self, *goals):
        self.write()
        page_tables.GOALS.write_text(json.dumps(goals), encoding="utf-8")
        return [line for line in page_tables.goals("nvidia-h200").splitlines()[2:] if line.startswith("|")]

    def ours(self, ratio, percent=99.0):
        row = like(self.kernel("cuBLAS row-major"), kernel="ours row-major", ratio_to_cublas=ratio)
        self.h200["kernels"].append(row | {"percent_of_ceiling": percent})

    def test_met_and_missed_by_what_is_not_printed(self):
        goal = self.GOAL | {"at_least_ratio": 1.0}
        size = "| row-major | 16,384 × 8,192 | cold | ≥ 1.00 × cuBLAS |"
        self.assertEqual(self.rows(goal), [f"{size} not measured | – |"])
        self.ours(0.9996)
        self.assertEqual(self.rows(goal), [f"{size} 1.000 × | **no** |"])
        self.h200["kernels"].pop()
        self.ours(1.0)
        self.assertEqual(self.rows(goal), [f"{size} 1.000 × | yes |"])

    def test_both_limits_count(self):
        self.ours(1.07, percent=97.96)
        goal = self.GOAL | {"at_least_ratio": 1.06, "at_least_percent": 98}
        self.assertTrue(self.rows(goal)[0].endswith("| ≥ 98 % of ceiling, ≥ 1.06 × cuBLAS | 98.0 %, 1.070 × | **no** |"))
        self.assertTrue(self.rows(goal | {"at_least_percent": 97})[0].endswith("| yes |"))
        self.assertTrue(self.rows(goal | {"at_least_percent": 97, "at_least_ratio": 1.08})[0].endswith("| **no** |"))

    def test_a_kernel_by_name(self):
        goal = {"chapter": "00_first_kernel", "kernel": "saxpy", "layout": "vector", "rows": 16384, "cols": 1,
                "cache": "cold", "at_least_percent": 80}  # fmt: skip
        self.assertEqual(
            self.rows(goal), ["| saxpy | 16,384 elements | cold | ≥ 80 % of ceiling | 80.0 % | yes |"]
        )

    def test_all_gpus(self):
        self.rows(self.GOAL | {"at_least_ratio": 1})
        self.assertEqual(page_tables.block("goals", ["gpus"]).count("0 of 1 goals met, 1 not measured."), 2)

    def test_what_is_no_goal_is_refused(self):
        for goal in (self.GOAL, self.GOAL | {"at_least_ratoi": 1}, {"at_least_ratio": 1}):
            with self.subTest(goal), self.assertRaises(SystemExit):
                self.rows(goal)

    def test_the_course_has_goals(self):
        page_tables.GOALS = plots.FOLDER.parent / "goals.json"
        self.assertGreater(len(page_tables.read_goals()), 20)


class Plots(WithTwoGpus):
    """Checking needs no drawing: files that say what drawn ones would."""

    def setUp(self):
        super().setUp()
        self.folder = self.results.parent / "figures"
        self.folder.mkdir()
        for name in ("float4", "cuBLAS row-major"):
            self.h200["kernels"].append(like(self.kernel(name), cols=16384))
        self.h200["kernels"].append(like(self.kernel("cuBLAS row-major"), kernel="ours row-major"))
        self.write()
        variants = self.results / "nvidia-h200"
        variants.mkdir()
        for name in ("03_constant", "constant_unroll_4", "constant_unroll_16"):
            times = {"median_ms": 2.0, "p10_ms": 1.0, "p90_ms": 3.0}
            (variants / f"{name}.json").write_text(json.dumps({"rows": 9, "cols": 9, "results": [times]}))
        for name, figure in plots.all_figures().items():
            parts = {"title": figure.title, "desc": figure.description, "metadata": plots.stamp(figure)}
            inner = "".join(f"<{tag}>{plots.escape(text)}</{tag}>" for tag, text in parts.items())
            svg = f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>'
            (self.folder / name).write_text(svg, encoding="utf-8")

    def found(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            fine = plots.check(self.folder)
        *found, last = out.getvalue().splitlines()
        self.assertEqual(fine, not found, last)
        return found

    def test_every_figure_of_the_gpu_that_has_the_results(self):
        names = {f"{name}-nvidia-h200.svg" for name in
                 ("sgemv-ladder", "sgemv-shapes", "sgemv-little", "constant-unroll")}  # fmt: skip
        self.assertEqual(plots.all_figures().keys(), names)
        self.assertEqual(self.found(), [])

    def test_missing_and_nobodys(self):
        (self.folder / "sgemv-ladder-nvidia-h200.svg").rename(self.folder / "sgemv-ladder-old.svg")
        self.assertEqual(
            self.found(), ["sgemv-ladder-nvidia-h200.svg: missing", "sgemv-ladder-old.svg: nobody's"]
        )

    def test_stale_is_only_what_shows_the_row(self):
        self.h200["latency"]["memory_ns"] += 0.5
        self.write()
        self.assertEqual(self.found(), ["sgemv-little-nvidia-h200.svg: stale"])
        self.h200["latency"]["memory_ns"] -= 0.5
        self.kernel("ours row-major")["ratio_to_cublas"] += 0.00001
        self.write()
        self.assertEqual(self.found(), ["sgemv-shapes-nvidia-h200.svg: stale"])
        self.h200["latency"]["samples"] += 1  # shown nowhere
        self.kernel("ours row-major")["ratio_to_cublas"] -= 0.00001
        self.write()
        self.assertEqual(self.found(), [])

    def test_the_roofline_needs_products_and_shows_every_one(self):
        self.assertNotIn("roofline-nvidia-h200.svg", plots.all_figures())
        self.h200["kernels"].append(product(self.h200, k=100))  # not the shape
        self.write()
        self.assertEqual(self.found(), [])
        self.h200["kernels"].append(product(self.h200))
        self.write()
        self.assertEqual(self.found(), ["roofline-nvidia-h200.svg: missing"])
        figure = plots.all_figures()["roofline-nvidia-h200.svg"]
        self.assertIn("16,384 GFLOP/s at 8, and is level", figure.description)
        stamp = plots.stamp(figure)
        self.h200["kernels"][-1]["gflop_per_s"] += 1
        self.write()
        self.assertNotEqual(plots.stamp(plots.all_figures()["roofline-nvidia-h200.svg"]), stamp)

    def test_another_version_makes_all_stale(self):
        self.addCleanup(setattr, plots, "VERSION", plots.VERSION)
        plots.VERSION += 1
        self.assertEqual(len(self.found()), 4)

    def test_half_a_file_and_one_without_words(self):
        path = self.folder / "constant-unroll-nvidia-h200.svg"
        whole = path.read_text(encoding="utf-8")
        path.write_text(whole[:-9], encoding="utf-8")
        self.assertEqual(self.found(), [f"{path.name}: no SVG"])
        path.write_text(whole.replace("desc>", "descr>"), encoding="utf-8")
        self.assertEqual(self.found(), [f"{path.name}: stale"])

    def test_nothing_to_check_is_no_pass(self):
        for path in (*self.results.glob("*.json"), *self.folder.iterdir()):
            path.unlink()
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertFalse(plots.check(self.folder))

    @unittest.skipUnless(matplotlib, "no matplotlib")
    def test_the_roofline_can_be_drawn(self):
        self.h200["kernels"] += [product(self.h200), product(self.h200, kernel="cuBLAS", gflop_per_s=16000.0)]
        self.write()
        drawn = plots.svg(plots.all_figures()["roofline-nvidia-h200.svg"])
        for label in ("08 tiled", "08 cuBLAS", "FMA ceiling 16,384 GFLOP/s", "read ceiling 2,048 GB/s"):
            self.assertIn(label, drawn)
        self.assertNotIn("07 cuBLAS", drawn)

    @unittest.skipUnless(matplotlib, "no matplotlib")
    def test_what_is_drawn_passes_and_is_drawn_alike_twice(self):
        with contextlib.redirect_stdout(io.StringIO()):
            plots.draw(self.folder)
        self.assertEqual(self.found(), [])
        for name, figure in plots.all_figures().items():
            drawn = (self.folder / name).read_text(encoding="utf-8")
            self.assertEqual(drawn, plots.svg(figure))
            self.assertIn("prefers-color-scheme", drawn)
            colours = set(re.findall(r"(?:fill|stroke): (#\w+)", drawn))
            self.assertLessEqual(colours, plots.DARK.keys())  # each has a dark counterpart


class PageTables(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, page_tables, "RESULTS", page_tables.RESULTS)
        page_tables.RESULTS = SAMPLE.parent

    def test_a_table_of_a_chapter_and_a_kernel(self):
        lines = page_tables.table(
            ["sample-gpu#07_cublas:cublas-row-major@16384x8192", "sample-gpu#06_unroll@16384x8192"]
        ).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | 10 % … 90 % | GB/s | of ceiling | × cuBLAS |")
        self.assertEqual(lines[2], "| cuBLAS row-major | 0.5000 | 0.2500 … 1.0000 | 1,024 | 50.0 % | 1.00 |")
        self.assertEqual(lines[3], "| float4 | 0.2500 | 0.1250 … 0.5000 | 2,048 | 100.0 % | 2.00 |")
        self.assertEqual(
            lines[-1], "Sample GPU, 16,384 × 8,192, 100 samples; read ceiling in that run 2,048 GB/s."
        )

    def test_one_name_for_several(self):
        both = "sample-gpu#06_unroll:float4,07_cublas@16384x8192"
        self.assertEqual(len(page_tables.table([both]).splitlines()), 6)

    def test_vectors_have_no_column_for_the_library(self):
        lines = page_tables.table(["sample-gpu#00_first_kernel@16384"]).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | 10 % … 90 % | GB/s | of ceiling |")
        self.assertEqual(lines[2].count("|"), lines[0].count("|"))
        self.assertIn("16,384 elements", lines[-1])
        self.assertIn("triad ceiling", lines[-1])

    def test_a_product_has_three_extents_and_shows_what_it_computes(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        page_tables.RESULTS = pathlib.Path(folder.name)
        report = sample()
        report["kernels"] += [product(report), product(report, k=4095)]
        (page_tables.RESULTS / "a-gpu.json").write_text(json.dumps(report), encoding="utf-8")
        lines = page_tables.table(["a-gpu#08_gemm_tiling@4096x4096x4096"]).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | 10 % … 90 % | GFLOP/s | of ceiling | × cuBLAS |")
        self.assertEqual(lines[2], "| tiled | 16.7772 | 8.3886 … 33.5544 | 8,192 | 50.0 % | 0.25 |")
        self.assertEqual(len(lines), 5)
        self.assertEqual(
            lines[-1], "Sample GPU, m = 4,096, n = 4,096, k = 4,096, 100 samples; fma ceiling in that run 16,384 GFLOP/s."
        )
        for names in (
            ["a-gpu#08_gemm_tiling@4096x4096"],
            ["a-gpu#08_gemm_tiling@4096x4096x4096", "a-gpu#08_gemm_tiling@4096x4096x4095"],
        ):
            with self.subTest(names), self.assertRaises(SystemExit):
                page_tables.table(names)

    def test_a_product_on_the_emulator_a_processor_and_machine_code(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        page_tables.RESULTS = pathlib.Path(folder.name)
        row = {"kernel": "naive", "verified": True, "operations": 2048, "global_load_requests": 64,
               "global_load_sectors": 160, "global_store_sectors": 4}  # fmt: skip
        library = row | {"kernel": "cuBLAS", "global_load_requests": None}
        cpu = [{"kernel": name, "verified": True, "threads": 1, "samples": 3, "median_ms": ms, "gflop_per_s": 2.0,
                "ratio_to_openblas": ratio} for name, ms, ratio in (("naive", 80.0, 0.1), ("other", 10.0, None))]  # fmt: skip
        report = {"backend": "emulator", "device": "emulator", "rows": 8, "cols": 16, "inner": 8, "results": [row, library],
                  "cpu": {"device": "A CPU", "threads": 2, "rows": 9, "cols": 9, "inner": 9, "results": cpu}}  # fmt: skip
        (page_tables.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        lines = page_tables.table(["x"]).splitlines()
        self.assertIn("| sectors a request | sectors a multiply-add | store sectors |", lines[0])
        self.assertEqual(lines[2:], ["| naive | 64 | 160 | 2.50 | 0.1562 | 4 |", "", "Counted by the emulator, m = 8, n = 16, k = 8."])
        lines = page_tables.block("cpu", ["x"]).splitlines()
        self.assertEqual(lines[2:4], ["| naive | 1 | 80.0 | 2.00 | 1.0 | 0.100 |", "| other | 1 | 10.0 | 2.00 | 8.0 | – |"])
        self.assertEqual(lines[-1], "A CPU, 2 threads at most, m = 9, n = 9, k = 9, 3 samples or more.")
        cpu[1]["verified"] = False
        (page_tables.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        with self.assertRaises(SystemExit):
            page_tables.block("cpu", ["x"])
        loop = {"instructions": 15, "multiply_adds": 4, "counts": {"FFMA": 4, "LDS": 6}}
        code = {"code": "sass", "nvcc": "13.0.88", "architecture": "sm_90",
                "kernels": [{"kernel": "k<32>", "registers": 27, "loop": loop}]}  # fmt: skip
        (page_tables.RESULTS / "y.json").write_text(json.dumps(code), encoding="utf-8")
        lines = page_tables.block("instructions", ["y"]).splitlines()
        self.assertEqual(lines[0], "| kernel | registers | FFMA | LDS | all | instructions a multiply-add |")
        self.assertEqual(lines[2], "| `k<32>` | 27 | 4 | 6 | 15 | 3.75 |")
        self.assertIn("machine code for sm_90", lines[-1])

    def test_hot_is_asked_for_by_name(self):
        lines = page_tables.table(["sample-gpu#06_unroll@16384x8192/hot"]).splitlines()
        self.assertIn("0.1250", lines[2])
        self.assertIn("data in the level-2 cache", lines[-1])

    def test_what_is_not_there_or_does_not_belong_together_is_refused(self):
        for names in (
            ["sample-gpu#06_unroll"],
            ["sample-gpu#06_unroll@1x1"],
            ["sample-gpu#06_unroll:rows@16384x8192"],
            ["sample-gpu#06_unroll,06_unroll:rows@16384x8192"],
            ["sample-gpu#07_cublas@16384x8192/hot"],
            ["other-gpu#06_unroll@16384x8192"],
            ["sample-gpu#06_unroll@16384x8192", "sample-gpu#06_unroll@16384x8192/hot"],
            ["sample-gpu#06_unroll@16384x8192", "sample-gpu#00_first_kernel@16384"],
        ):
            with self.subTest(names), self.assertRaises(SystemExit):
                page_tables.table(names)


if __name__ == "__main__":
    unittest.main()
