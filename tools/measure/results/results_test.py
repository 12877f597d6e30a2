#!/usr/bin/env python3
"""Tests of check_results.py with the bench's sample, whole and broken."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
import check_results  # noqa: E402
from sample_report import SAMPLE, drawn, product, sample  # noqa: E402


class CheckResults(unittest.TestCase):
    def setUp(self):
        self.report = sample()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def errors(self, report, name="sample-gpu.json", published=True):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(json.dumps(report), encoding="utf-8")
        return check_results.file_errors(path, published)

    def test_a_file_is_a_row_a_line(self):
        self.assertEqual(check_results.form_errors(SAMPLE), [])
        path = pathlib.Path(self.folder.name) / "a.json"
        report = {"a": [1, 2.50], "b": {"c": {"d": [{"e": "é"}]}, "f": [[1], []]}, "g": [{"h": {}}, {}], "i": ["w" * 90] * 2}
        good = ('{\n "a": [1, 2.50],\n "b": {\n  "c": {"d": [{"e": "é"}]},\n  "f": [\n   [1],\n   []\n  ]\n },\n'
                f' "g": [\n  {{"h": {{}}}},\n  {{}}\n ],\n "i": [\n  "{"w" * 90}",\n  "{"w" * 90}"\n ]\n}}\n')
        for text in (json.dumps(report), json.dumps(report, indent=1), good + "\n", "[1"):
            path.write_text(text, encoding="utf-8")
            self.assertEqual(len(check_results.form_errors(path)), 1)
        path.write_text(json.dumps(report).replace("2.5", "2.50"), encoding="utf-8")
        self.assertEqual(check_results.json_rows.main([str(path)]), 0)
        self.assertEqual(path.read_text(encoding="utf-8"), good)  # the number as it was written, too
        self.assertEqual(check_results.form_errors(path), [])

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
            "bound": ("read", "only products of matrices have inner"),
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
            "only products of matrices have inner": lambda r: r["kernels"][1].update(inner=5),
            "inner: came with version 2": lambda r: r.update(schema_version=1),
            "is less than 1": lambda r: r["kernels"][-1].update(inner=0),
        }.items():
            with self.subTest(message):
                report = copy.deepcopy(self.report)
                spoil(report)
                errors = self.errors(report)
                self.assertTrue(any(message in error for error in errors), errors)

    def test_a_vector_kernel_may_be_compared_with_a_library(self):
        self.report["schema_version"] = 3
        row = next(row for row in self.report["kernels"] if row["layout"] == "vector")
        row |= {"library": "CUB", "library_median_ms": 2 * row["median_ms"], "ratio_to_library": 2.0}
        self.assertEqual(self.errors(self.report), [])
        for spoil in ({"ratio_to_library": 2.1}, {"library_median_ms": row["median_ms"]}, {"library": None}):
            with self.subTest(spoil):
                report = copy.deepcopy(self.report)
                next(row for row in report["kernels"] if row["layout"] == "vector").update(spoil)
                errors = self.errors(report)
                self.assertTrue(any("library" in error for error in errors), errors)
        self.report["schema_version"] = 2
        self.assertEqual(self.errors(self.report), ["library: came with version 3"])
        self.report["schema_version"] = 3
        matrix = next(row for row in self.report["kernels"] if row["ratio_to_cublas"] is not None)
        matrix |= {"library": "CUB", "library_median_ms": matrix["median_ms"], "ratio_to_library": 1.0}
        self.assertTrue(self.errors(self.report))  # cuBLAS, too
        matrix |= {"cublas_median_ms": None, "ratio_to_cublas": None}
        self.assertEqual(self.errors(self.report), [])

    def test_the_link_has_ceilings_where_a_chapter_wants_them(self):
        self.report["schema_version"] = 4
        row = next(row for row in self.report["kernels"] if row["layout"] == "vector")
        link = self.report["ceilings"]["read"] | {"blocks_per_multiprocessor": 0}
        row |= {"bound": "host to device", "percent_of_ceiling": 100 * row["gb_per_s"] / link["gb_per_s"]}
        self.assertIn("was not measured", self.errors(self.report)[0])
        self.report["ceilings"]["host to device"] = link
        self.assertEqual(self.errors(self.report), [])
        link["blocks_per_multiprocessor"] = 8
        self.assertIn("are no launch", self.errors(self.report)[0])
        link["blocks_per_multiprocessor"] = 0
        self.report["ceilings"]["read"]["blocks_per_multiprocessor"] = 0
        self.assertIn("are no launch", self.errors(self.report)[0])
        self.report["ceilings"]["read"]["blocks_per_multiprocessor"] = 32
        self.report["schema_version"] = 3
        self.assertEqual(self.errors(self.report), ["ceiling host to device: came with version 4"])

    def test_the_bus_is_a_ceiling_since_version_4(self):
        self.report["schema_version"] = 4
        self.report["ceilings"]["bus"] = self.report["ceilings"]["copy"] | {"blocks_per_multiprocessor": 0}
        row = next(row for row in self.report["kernels"] if row["layout"] == "vector")
        row["bound"] = "bus"
        row["percent_of_ceiling"] = 100 * row["gb_per_s"] / self.report["ceilings"]["bus"]["gb_per_s"]
        self.assertEqual(self.errors(self.report), [])
        self.report["schema_version"] = 3
        self.assertEqual(self.errors(self.report), ["ceiling bus: came with version 4"])

    def test_tensor_cores_are_a_ceiling_since_version_6(self):
        self.report["schema_version"] = 6
        fma = self.report["ceilings"]["fma"]
        # Sixteen times what the device's other units could do: they have no part in it.
        self.report["ceilings"]["mma BF16"] = fma | {"median_ms": fma["median_ms"] / 16, "p10_ms": fma["p10_ms"] / 16,
                                                     "gflop_per_s": fma["gflop_per_s"] * 16}  # fmt: skip
        self.report["kernels"].append(product(self.report, bound="mma BF16", percent_of_ceiling=50 / 16))
        self.assertEqual(self.errors(self.report), [])
        self.report["schema_version"] = 5
        self.assertEqual(self.errors(self.report), ["ceiling mma BF16: came with version 6"])

    def test_a_warpgroup_is_a_ceiling_since_version_7(self):
        self.report["schema_version"] = 7
        self.report["ceilings"]["wgmma BF16"] = self.report["ceilings"]["fma"]
        self.report["kernels"].append(product(self.report, bound="wgmma BF16"))
        self.assertEqual(self.errors(self.report), [])
        self.report["schema_version"] = 6
        self.assertEqual(self.errors(self.report), ["ceiling wgmma BF16: came with version 7"])

    def test_drawn_shapes_have_the_spread_of_both_sides_and_a_file_of_their_own(self):
        drawn(self.report)
        name = "sample-gpu/drawn/06_unroll+07_cublas.json"
        (pathlib.Path(self.folder.name) / name).parent.mkdir(parents=True)
        self.assertEqual(self.errors(self.report, name), [])
        [error] = self.errors(self.report)
        self.assertIn(f"should be called {name}", error)
        breaks = {
            "came with version 5": lambda r: r.update(schema_version=4),
            "belong to drawn shapes": lambda r: r.pop("drawn"),
            "its percentiles": lambda r: r["kernels"][0].update(cublas_p10_ms=9),
            "more than the 1 shapes": lambda r: (r["drawn"].update(shapes=1), r["kernels"].append(r["kernels"][0])),
            "lacks seed": lambda r: r["drawn"].pop("seed"),
            "offset and cuBLAS's percentiles": lambda r: r["kernels"][0].pop("offset"),
        }
        for message, spoil in breaks.items():
            with self.subTest(message):
                report = copy.deepcopy(self.report)
                spoil(report)
                errors = self.errors(report, name)
                self.assertTrue(any(message in error for error in errors), errors)

    def test_drawn_problems_against_another_library_have_no_spread_of_it(self):
        drawn(self.report)
        for row in self.report["kernels"]:
            row |= {"library": "cuSPARSE", "library_median_ms": row["median_ms"], "ratio_to_library": 1.0,
                    "cublas_median_ms": None, "ratio_to_cublas": None}  # fmt: skip
            for key in ("offset", "cublas_p10_ms", "cublas_p90_ms"):
                row.pop(key)
        name = "sample-gpu/drawn/06_unroll+07_cublas.json"
        (pathlib.Path(self.folder.name) / name).parent.mkdir(parents=True)
        self.assertEqual(self.errors(self.report, name), [])

    def test_a_product_as_blas_has_it(self):
        row = product(self.report)
        row |= {"lda": row["inner"] + 3, "ldb": row["cols"] + 3, "ldc": row["cols"], "alpha": 2.0, "beta": -3.0}
        self.report["kernels"].append(row)
        drawn(self.report)
        self.report["schema_version"] = 8
        name = "sample-gpu/drawn/06_unroll+07_cublas+08_gemm_tiling.json"
        (pathlib.Path(self.folder.name) / name).parent.mkdir(parents=True)
        self.assertEqual(self.errors(self.report, name), [])
        breaks = {
            "came with version 8": lambda r: r.update(schema_version=7),
            "belong together": lambda r: r["kernels"][-1].pop("ldb"),
            "less than a row is long": lambda r: r["kernels"][-1].update(ldc=r["kernels"][-1]["cols"] - 1),
        }
        for message, spoil in breaks.items():
            with self.subTest(message):
                report = copy.deepcopy(self.report)
                spoil(report)
                errors = self.errors(report, name)
                self.assertTrue(any(message in error for error in errors), errors)

    def test_each_break_is_found(self):
        def kernel(name, value, row=1):
            return lambda r: r["kernels"][row].__setitem__(name, value)

        def ceiling(kind, **values):
            return lambda r: r["ceilings"][kind].update(values)

        breaks = {
            "a figure missing": (lambda r: r["kernels"][0].pop("median_ms"), "lacks median_ms"),
            "a figure too many": (kernel("host", "x"), "unknown host"),
            "another version": (lambda r: r.update(schema_version=9), "schema_version"),
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

    def test_a_chapter_by_itself_has_a_file_of_its_name(self):
        (pathlib.Path(self.folder.name) / "sample-gpu" / "measured").mkdir(parents=True)
        name = "sample-gpu/measured/00_first_kernel.json"
        [error] = self.errors(self.report, name)
        self.assertIn("should be called sample-gpu/measured/00_first_kernel+", error)
        self.report["kernels"] = [row for row in self.report["kernels"] if row["chapter"] == "00_first_kernel"]
        self.assertEqual(self.errors(self.report, name), [])

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


if __name__ == "__main__":
    unittest.main()
