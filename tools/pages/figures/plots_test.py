#!/usr/bin/env python3
"""Tests of plots.py with the bench's sample."""

import contextlib
import io
import json
import re
import sys
import pathlib
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import plots
from two_gpus import WithTwoGpus

from sample_report import like, product  # isort: skip (places says where it is)

try:
    import matplotlib
except ImportError:
    matplotlib = None


def stale(name):
    return [f"{name}-nvidia-h200.svg: stale"]


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
        (variants / "variants").mkdir(parents=True)
        for name in ("03_constant", "variants/constant_unroll_4", "variants/constant_unroll_16"):
            times = {"median_ms": 2.0, "p10_ms": 1.0, "p90_ms": 3.0}
            (variants / f"{name}.json").write_text(json.dumps({"rows": 9, "cols": 9, "results": [times]}))
        for name, figure in plots.kept_figures().items():
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

    def test_chapter_19_under_the_roof_of_shared_memory(self):
        own = self.results / "nvidia-h200" / "measured"
        own.mkdir()
        ours = product(self.h200, chapter="19_gemm_registers", kernel="swizzled")
        joined = product(self.h200, chapter="19_gemm_registers", kernel="8 x 8")
        (own / "19_gemm_registers.json").write_text(json.dumps(self.h200 | {"kernels": [ours, joined]}))
        roof = self.results / "nvidia-h200" / "shared_bandwidth.json"
        self.assertFalse([name for name in plots.all_figures() if name.startswith("gemm-registers")])
        roof.write_text(json.dumps({"results": [{"gb_per_s": 32000.0}]}))
        (self.results / "emulator").mkdir()
        counted = {"operations": 2 * 64 * 32, "shared_load_wavefronts": 8, "shared_store_wavefronts": 2}
        (self.results / "emulator" / "19_gemm_registers.json").write_text(json.dumps(
            {"results": [counted | {"kernel": name} for name in ("swizzled", "8 x 8")]}))  # fmt: skip
        figure = plots.all_figures()["gemm-registers-nvidia-h200.svg"]
        [row] = figure.rows["kernels"]  # of 8 x 8 the emulator cannot tell
        self.assertEqual((row["kernel"], row["place"]), ("swizzled", 2 * 64 * 32 / 1280))
        self.assertIn("swizzled, with 8,192", figure.description)
        if matplotlib:
            self.assertIn("FMA ceiling", plots.svg(figure))

    def test_every_figure_of_the_gpu_that_has_the_results(self):
        names = {f"{name}-nvidia-h200{size}.svg" for name in
                 ("sgemv-ladder", "sgemv-shapes", "sgemv-little", "constant-unroll") for size in ("", "-narrow")
                 }  # fmt: skip
        self.assertEqual(plots.all_figures().keys(), names)
        self.assertEqual(plots.kept_figures().keys(), {name for name in names if "-narrow" not in name})
        self.assertEqual(self.found(), [])

    def test_missing_and_nobodys(self):
        (self.folder / "sgemv-ladder-nvidia-h200.svg").rename(self.folder / "sgemv-ladder-old.svg")
        self.assertEqual(
            self.found(), ["sgemv-ladder-nvidia-h200.svg: missing", "sgemv-ladder-old.svg: nobody's"]
        )

    def test_stale_is_only_what_shows_the_row(self):
        self.h200["latency"]["memory_ns"] += 0.5
        self.write()
        self.assertEqual(self.found(), stale("sgemv-little"))
        self.h200["latency"]["memory_ns"] -= 0.5
        self.kernel("ours row-major")["ratio_to_cublas"] += 0.00001
        self.write()
        self.assertEqual(self.found(), stale("sgemv-shapes"))
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
        missing = [f"{name}-nvidia-h200.svg: missing" for name in ("roofline", "sgemm-ladder")]
        self.assertEqual(self.found(), missing)
        figure = plots.all_figures()["roofline-nvidia-h200.svg"]
        self.assertIn("16,384 GFLOP/s at 8, and is level", figure.description)
        stamp = plots.stamp(figure)
        self.h200["kernels"][-1]["gflop_per_s"] += 1
        self.write()
        self.assertNotEqual(plots.stamp(plots.all_figures()["roofline-nvidia-h200.svg"]), stamp)

    def test_the_ladder_of_products_has_square_ones_a_list_a_size(self):
        def square(kernel, n, speed):
            ms = 2 * n**3 / speed / 1e6
            return product(self.h200, n, n, n, kernel=kernel, gflop_per_s=speed, p10_ms=ms / 1.1, p90_ms=ms * 1.1)

        for n, speed in (1024, 900.0), (2048, 950.0):
            self.h200["kernels"] += [square("tiled 32 x 32", n, speed), square("naive", n, speed / 2),
                                     square("cuBLAS", n, 8 * speed)]  # fmt: skip
        self.h200["kernels"].append(product(self.h200, 2048, 2048, 100, gflop_per_s=5000.0))
        self.write()
        figure = plots.all_figures()["sgemm-ladder-nvidia-h200.svg"]
        self.assertIn("N = 1,024; 2,048. At 2,048 the longest is tiled 32 x 32, with 950. cuBLAS has 7,600.",
                      figure.description)  # fmt: skip
        self.assertEqual(len(figure.rows["kernels"]), 6)
        if matplotlib:
            for name in ("sgemm-ladder-nvidia-h200", "sgemm-ladder-nvidia-h200-narrow"):
                drawn = plots.svg(plots.all_figures()[name + ".svg"])
                for label in ("N = 1,024", "N = 2,048", "08  tiled 32²", ">950<", ">475<", ">7,600<"):
                    self.assertIn(label, drawn)

    def test_what_is_drawn_for_phones_has_text_that_is_as_large_there(self):
        for name, figure in plots.all_figures().items():
            self.assertEqual(figure.width < 380 / 96, name.endswith("-narrow.svg"))

    def test_the_roof_of_shared_memory_where_it_was_measured(self):
        self.h200["kernels"].append(product(self.h200, kernel="by hand, 32 x 32"))
        self.write()
        name, folder = "roofline-nvidia-h200.svg", self.results / "nvidia-h200"
        self.assertNotIn("shared", plots.all_figures()[name].rows)
        row = {"kernel": "shared", "verified": True, "gb_per_s": 30000.0}
        (folder / "shared_bandwidth.json").write_text(json.dumps({"results": [row]}))
        launches = folder / "counters" / "launches"
        launches.mkdir(parents=True)
        kernels = [{"instance": instance, "shared_load_wavefronts": wavefronts} for instance, wavefronts in
                   (("gemm_unroll<32, ByHand>", 48), ("gemm_early<16>", 32), ("gemm_naive", 0),
                    ("cublas", 5))]  # fmt: skip
        options = ["--m", "32", "--n", "8", "--k", "4"]  # 1024 multiply-adds, 32 of a warp
        (launches / "09_gemm_unroll_whole.json").write_text(json.dumps({"options": options, "kernels": kernels}))
        figure = plots.all_figures()[name]
        self.assertEqual(figure.rows["shared"], 30000.0)
        self.assertEqual(figure.rows["from_shared"], {"by hand, 32 x 32": 1 / 3, "prefetched, 16 x 16": 0.5})
        self.assertIn("30,000 GB/s", figure.description)
        if matplotlib:
            self.assertIn("shared memory 30,000 GB/s", plots.svg(figure))
        (folder / "shared_bandwidth.json").write_text(json.dumps({"results": [row | {"verified": False}]}))
        with self.assertRaises(SystemExit):
            plots.all_figures()

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
        for name, figure in plots.kept_figures().items():
            drawn = (self.folder / name).read_text(encoding="utf-8")
            self.assertEqual(drawn, plots.svg(figure))
            self.assertIn("prefers-color-scheme", drawn)
            colours = set(re.findall(r"(?:fill|stroke): (#\w+)", drawn))
            self.assertLessEqual(colours, plots.DARK.keys())  # each has a dark counterpart


if __name__ == "__main__":
    unittest.main()
