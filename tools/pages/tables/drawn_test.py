#!/usr/bin/env python3
"""Tests of drawn_tables.py and drawn_plots.py: what pages say of shapes drawn at random."""

import json
import sys
import pathlib
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import plots
import tables
from two_gpus import WithTwoGpus

from sample_report import drawn, product, sample  # isort: skip (places says where it is)

try:
    import matplotlib
except ImportError:
    matplotlib = None

RATIOS = (2.0, 0.5, 1.0, 4.0, 1.5, 0.9, 3.0)


class Drawn(WithTwoGpus):
    def setUp(self):
        super().setUp()
        self.report = drawn(sample(), RATIOS)
        self.report["device"]["name"] = "NVIDIA H200"
        self.write_drawn()

    def write_drawn(self, chapter="07_cublas"):
        folder = self.results / "nvidia-h200" / "drawn"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{chapter}.json").write_text(json.dumps(self.report), encoding="utf-8")

    def refused(self, kind, name):
        with self.assertRaises(SystemExit):
            tables.block(kind, [name])

    def test_a_distribution_is_a_line_of_all_ratios(self):
        text = tables.block("distribution", ["gpus#07_cublas"])
        # 0.5 0.9 1 1.5 2 3 4: a twentieth is 0.3 of the way from the first to the second, and two of seven below 1.
        self.assertIn("| ours row-major | 7 | 0.50 | 0.62 | 1.50 | 1.49 | 29 % |", text)
        self.assertIn("7 shapes of seed 7", text)
        self.assertEqual(text, tables.block("distribution", ["nvidia-h200#07_cublas:ours-row-major"]))

    def test_another_library_than_cublas_has_its_name_and_its_ratios(self):
        for row in self.report["kernels"]:
            row |= {"library": "cuSPARSE", "ratio_to_library": 2 * row["ratio_to_cublas"], "ratio_to_cublas": None}
        self.write_drawn("26_other")
        text = tables.block("distribution", ["gpus#26_other"])
        self.assertIn("| least × cuSPARSE |", text)
        self.assertIn("| ours row-major | 7 | 1.00 | 1.24 | 3.00 | 2.98 | 0 % |", text)
        self.assertIn("NVIDIA H200, cuSPARSE; 7 shapes", text)

    def test_a_ratio_of_1_is_not_below(self):
        self.report = drawn(sample(), (1.0, 0.999))
        self.write_drawn()
        self.assertIn("| 50 % |", tables.block("distribution", ["gpus#07_cublas"]))

    def test_the_worst_have_names_the_least_first(self):
        self.report["kernels"][5]["offset"] = 0
        self.write_drawn()
        lines = tables.block("worst", ["gpus#07_cublas"]).splitlines()[2:-2]
        self.assertEqual(len(lines), 5)
        self.assertIn("1,001 × 8,192, not aligned to 16 bytes | 0.50 |", lines[0])
        self.assertIn("1,005 × 8,192 | 0.90 |", lines[1])

    def test_products_as_blas_has_them_are_split_by_their_form(self):
        forms = [(1001, 0.0), (1004, 0.0), (1003, -3.0), (1004, -3.0), (1009, -3.0)]
        self.report["kernels"] = [
            product(self.h200, k=1000 * k, kernel="ours", offset=0, cublas_p10_ms=1.0, cublas_p90_ms=9.0, lda=ld,
                    ldb=ld, ldc=ld, alpha=1.0, beta=beta, ratio_to_cublas=k / 4)
            for k, (ld, beta) in enumerate(forms, 1)
        ]  # fmt: skip
        self.write_drawn("20_product")
        lines = tables.block("distribution", ["gpus#20_product"]).splitlines()
        for line in ("| ours | 5 | 0.25 |", "| ours, odd leading dimensions | 3 | 0.25 |",
                     "| ours, rows on 16 bytes | 2 | 0.50 |", "| ours, beta ≠ 0 | 3 | 0.75 |",
                     "| ours, beta = 0 | 2 | 0.25 |"):  # fmt: skip
            self.assertTrue(any(each.startswith(line) for each in lines), line)
        worst = tables.block("worst", ["gpus#20_product"]).splitlines()[2:-2]
        self.assertIn("k = 1,000, odd leading dimensions | 0.25 |", worst[0])
        self.assertIn("k = 4,000, beta ≠ 0 | 1.00 |", worst[3])

    def test_none_where_nobody_has_drawn(self):
        self.assertEqual(tables.block("worst", ["gpus#20_other"]), "")
        self.refused("worst", "a-gpu#07_cublas")
        self.refused("distribution", "gpus#07_cublas:theirs")
        self.refused("distribution", "gpus")

    def test_each_file_has_a_figure_and_products_their_own(self):
        for size in ("", "-narrow"):
            self.assertIn(f"sgemv-drawn-nvidia-h200{size}.svg", plots.all_figures())
        figure = plots.all_figures()["sgemv-drawn-nvidia-h200.svg"]
        self.assertIn("ours row-major: least 0.50, geometric mean 1.49", figure.description)
        self.report["kernels"] = [
            product(self.h200, k=1000 * k, offset=0, cublas_p10_ms=1.0, cublas_p90_ms=9.0) for k in range(1, 4)
        ]
        self.write_drawn("20_product")
        self.assertIn("sgemm-drawn-nvidia-h200.svg", plots.all_figures())

    @unittest.skipUnless(matplotlib, "no matplotlib")
    def test_both_can_be_drawn(self):
        for figure in plots.all_figures().values():
            if "drawn" in figure.name:
                drawing = plots.svg(figure)
                self.assertIn("of the shapes, the worst on the left", drawing)
                self.assertIn("bytes that a launch must move", drawing)


if __name__ == "__main__":
    unittest.main()
