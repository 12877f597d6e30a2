#!/usr/bin/env python3
"""Tests of check_results.py and page_tables.py with the bench's sample, whole and broken."""

import copy
import json
import pathlib
import tempfile
import unittest

import check_results
import page_tables

SAMPLE = pathlib.Path(__file__).resolve().parent / "measure" / "sample-gpu.json"


class CheckResults(unittest.TestCase):
    def setUp(self):
        self.report = json.loads(SAMPLE.read_text(encoding="utf-8"))
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def errors(self, report, name="sample-gpu.json", published=True):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(json.dumps(report), encoding="utf-8")
        return check_results.file_errors(path, published)

    def test_the_sample_is_right(self):
        self.assertEqual(self.errors(self.report), [])

    def test_each_break_is_found(self):
        def kernel(name, value, row=1):
            return lambda r: r["kernels"][row].__setitem__(name, value)

        def ceiling(kind, **values):
            return lambda r: r["ceilings"][kind].update(values)

        breaks = {
            "a figure missing": (lambda r: r["kernels"][0].pop("median_ms"), "lacks median_ms"),
            "a figure too many": (kernel("host", "x"), "unknown host"),
            "another version": (lambda r: r.update(schema_version=2), "schema_version"),
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
