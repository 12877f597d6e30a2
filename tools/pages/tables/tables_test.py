#!/usr/bin/env python3
"""Tests of tables.py with the bench's sample and files made up."""

import json
import pathlib
import tempfile
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import results_files
import tables
from two_gpus import WithTwoGpus

from sample_report import SAMPLE, like, product, sample  # isort: skip (places says where it is)


class ForEachGpu(WithTwoGpus):
    def test_a_table_for_each_gpu_that_has_the_shape_and_the_h200_first(self):
        text = tables.block("results", ["gpus#00_first_kernel@16384"])
        self.assertLess(text.index("NVIDIA H200, 16,384"), text.index("A GPU, 16,384"))
        self.assertEqual(text.count("| kernel |"), 2)
        text = tables.block("results", ["gpus#06_unroll@16384x8192"])
        self.assertIn("NVIDIA H200", text)
        self.assertNotIn("A GPU", text)

    def test_a_chapter_with_a_file_of_its_own(self):
        own = sample()
        own["device"]["name"] = "NVIDIA H200"
        own["kernels"] = [row | {"rows": 4096} for row in own["kernels"] if row["chapter"] == "00_first_kernel"]
        folder = self.results / "nvidia-h200" / "measured"
        folder.mkdir(parents=True)
        (folder / "00_first_kernel.json").write_text(json.dumps(own), encoding="utf-8")
        self.assertIn("NVIDIA H200, 4,096", tables.block("results", ["gpus#00_first_kernel@4096"]))
        self.assertNotIn("NVIDIA H200", tables.block("results", ["gpus#00_first_kernel@16384"]))
        with self.assertRaises(SystemExit):  # two runs, two ceilings
            tables.block("results", ["nvidia-h200#00_first_kernel,06_unroll@4096"])

    def test_a_gpu_of_which_only_a_chapter_was_measured(self):
        own = sample()
        own["device"]["name"] = "Another"
        own["kernels"] = [row | {"rows": 512} for row in own["kernels"] if row["chapter"] == "00_first_kernel"]
        folder = self.results / "another" / "measured"
        folder.mkdir(parents=True)
        (folder / "00_first_kernel.json").write_text(json.dumps(own), encoding="utf-8")
        text = tables.block("results", ["gpus#00_first_kernel@512"])
        self.assertIn("Another, 512", text)
        self.assertEqual(text.count("| kernel |"), 1)
        self.assertNotIn("Another", tables.block("results", ["gpus#00_first_kernel@16384"]))

    def test_refused(self):
        for names in (
            ["gpus#06_unroll@1x1"],  # no GPU has it
            ["gpus#06_unroll@16384"],  # both have the shape, neither the chapter
            ["gpus#06_unroll@16384x8192", "nvidia-h200#07_cublas@16384x8192"],
        ):
            with self.subTest(names), self.assertRaises(SystemExit):
                tables.block("results", names)

    def test_a_first_line_without_a_last_one_is_no_silent_pass(self):
        text = "<!-- results: a -->\nprose\n<!-- goals: gpus -->\n<!-- end of goals -->\n"
        self.assertEqual(len(tables.BLOCK.findall(text)), 1)
        self.assertEqual(len(tables.FIRST_LINE.findall(text)), 2)


class AChaptersOwnFile(WithTwoGpus):
    def lines(self, *kernels):
        rows = [{"kernel": kernel, "verified": True, "median_ms": median, "p10_ms": median, "p90_ms": median, "samples": 20,
                 "gflop_per_s": rate, "percent_of_ceiling": rate / 8} for kernel, median, rate in kernels]  # fmt: skip
        report = {"backend": "cuda", "device": "A GPU", "rows": 64, "cols": 64, "inner": 64, "results": rows,
                  "ceiling": {"name": "fma", "gflop_per_s": 800.4}}  # fmt: skip
        (self.results / "own.json").write_text(json.dumps(report), encoding="utf-8")
        return tables.block("results", ["own"]).splitlines()

    def test_beside_the_row_of_cublas(self):
        lines = self.lines(("ours", 2.0, 400), ("cuBLAS", 3.0, 300))
        self.assertEqual(lines[0], "| kernel | median ms | GFLOP/s | of ceiling | × cuBLAS | 10 % … 90 % |")
        self.assertEqual(lines[2], "| ours | 2.0000 | 400 | 50.0 % | 1.50 | 2.0000 … 2.0000 |")
        self.assertEqual(lines[-1], "A GPU, m = 64, n = 64, k = 64, 20 samples; fma ceiling in that run 800 GFLOP/s.")
        self.assertNotIn("cuBLAS", self.lines(("ours", 2.0, 400))[0])

    def test_a_first_row_that_is_the_ceiling(self):
        lines = self.lines(("alone", 1.0, 800), ("ours", 2.0, 400), ("cuBLAS", 1.0, 300))
        self.assertEqual(lines[2], "| alone | 1.0000 | 800 | 100.0 % | – | 1.0000 … 1.0000 |")
        self.assertEqual(lines[3].split("|")[5], " 0.50 ")
        self.assertTrue(lines[-1].endswith("; the ceiling is the first row's, 800 GFLOP/s."))


class Predictions(WithTwoGpus):
    def lines(self, name="gpus#06_unroll,07_cublas@16384x8192"):
        self.write()
        return tables.block("predictions", [name]).splitlines()

    def test_half_the_bytes_are_half_the_ceiling(self):
        lines = self.lines()
        self.assertEqual(lines[2:4], ["| float4 | 512,000 | 1,024 | 2,048 | 200 % |", ""])
        self.assertIn("memory answers after 500 ns, the read ceiling is 2,048 GB/s", lines[-1])
        self.assertIn("it takes 1,024,000 bytes in flight", lines[-1])

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
    OF_THE_COURSE = tables.GOALS
    GOAL = {"layout": "row-major", "rows": 16384, "cols": 8192, "cache": "cold"}

    def rows(self, *goals):
        self.write()
        tables.GOALS.write_text(json.dumps(goals), encoding="utf-8")
        return [line for line in tables.goals("nvidia-h200").splitlines()[2:] if line.startswith("|")]

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
        [row] = self.rows(goal)
        self.assertTrue(row.endswith("| ≥ 98 % of ceiling, ≥ 1.06 × cuBLAS | 98.0 %, 1.070 × | **no** |"), row)
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
        self.assertEqual(tables.block("goals", ["gpus"]).count("0 of 1 goals met, 1 not measured."), 2)

    def test_what_is_no_goal_is_refused(self):
        for goal in (self.GOAL, self.GOAL | {"at_least_ratoi": 1}, {"at_least_ratio": 1}):
            with self.subTest(goal), self.assertRaises(SystemExit):
                self.rows(goal)

    def test_the_course_has_goals(self):
        tables.GOALS = self.OF_THE_COURSE
        self.assertGreater(len(tables.read_goals()), 20)


class PageTables(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, results_files, "RESULTS", results_files.RESULTS)
        results_files.RESULTS = SAMPLE.parent

    def test_a_table_of_a_chapter_and_a_kernel(self):
        lines = tables.table(
            ["sample-gpu#07_cublas:cublas-row-major@16384x8192", "sample-gpu#06_unroll@16384x8192"]
        ).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | GB/s | of ceiling | × cuBLAS | 10 % … 90 % |")
        self.assertEqual(lines[2], "| cuBLAS row-major | 0.5000 | 1,024 | 50.0 % | 1.00 | 0.2500 … 1.0000 |")
        self.assertEqual(lines[3], "| float4 | 0.2500 | 2,048 | 100.0 % | 2.00 | 0.1250 … 0.5000 |")
        self.assertEqual(
            lines[-1], "Sample GPU, 16,384 × 8,192, 100 samples; read ceiling in that run 2,048 GB/s."
        )

    def test_what_a_program_said_below_its_table(self):
        results_files.RESULTS = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        report = {"backend": "emulator", "device": "CUDA emulator", "rows": 4096, "cols": 1, "notes": ["one", "  two"]}
        (results_files.RESULTS / "a.json").write_text(json.dumps(report), encoding="utf-8")
        self.assertEqual(
            tables.block("notes", ["a"]), "```text\none\n  two\n```\n\nOn the emulator, 4,096 elements.\n"
        )
        (results_files.RESULTS / "b.json").write_text(json.dumps(report | {"notes": []}), encoding="utf-8")
        with self.assertRaises(SystemExit):
            tables.block("notes", ["b"])

    def test_several_shapes_in_one_table(self):
        lines = tables.block(
            "shapes", ["sample-gpu#07_cublas:cublas-row-major@16384x8192", "sample-gpu#00_first_kernel@16384"]
        ).splitlines()
        self.assertEqual(lines[0], "| call | shape | median ms | GB/s | of ceiling | 10 % … 90 % |")
        self.assertTrue(lines[2].startswith("| cuBLAS row-major | 16,384 × 8,192 | 0.5000 | 1,024 | 50.0 % | "), lines)
        self.assertIn("| 16,384 elements | ", lines[3])
        self.assertRegex(lines[-1], r"^Sample GPU, .* samples or more; ceilings in that run: read 2,048 GB/s, triad ")

    def test_products_of_one_kernel_at_several_shapes_and_the_clock(self):
        results_files.RESULTS = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        report = sample()
        clocks = {"sm_mhz_median": 1965.0, "sm_mhz_min": 1110.0, "power_w_max": 699.6}
        report["kernels"] = [product(report, clocks=clocks), product(report, m=64, clocks=clocks)]
        (results_files.RESULTS / "sample-gpu.json").write_text(json.dumps(report), encoding="utf-8")
        shapes = [f"sample-gpu#08_gemm_tiling@{m}x4096x4096" for m in (4096, 64)]
        lines = tables.block("shapes", shapes).splitlines()
        self.assertEqual(lines[0], "| m ×\u00a0n ×\u00a0k | median ms | GFLOP/s | of ceiling | × cuBLAS | 10 % … 90 % |")
        self.assertTrue(lines[2].startswith("| 4,096³ | "), lines)
        self.assertTrue(lines[3].startswith("| 64 ×\u00a04,096 ×\u00a04,096 | "), lines)
        self.assertTrue(lines[-1].startswith("`tiled` on Sample GPU, "), lines)
        lines = tables.block("clocks", shapes).splitlines()
        self.assertEqual(lines[2], "| 4,096³ | 8,192 | 0.25 | 1,965 | 1,110 | 700 |")
        report["kernels"][1] |= {"library": "another", "ratio_to_library": 2.0}
        (results_files.RESULTS / "sample-gpu.json").write_text(json.dumps(report), encoding="utf-8")
        with self.assertRaises(SystemExit):  # two libraries
            tables.block("clocks", shapes)

    def test_one_name_for_several(self):
        both = "sample-gpu#06_unroll:float4,07_cublas@16384x8192"
        self.assertEqual(len(tables.table([both]).splitlines()), 6)

    def test_vectors_have_no_column_for_the_library(self):
        lines = tables.table(["sample-gpu#00_first_kernel@16384"]).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | GB/s | of ceiling | 10 % … 90 % |")
        self.assertEqual(lines[2].count("|"), lines[0].count("|"))
        self.assertIn("16,384 elements", lines[-1])
        self.assertIn("triad ceiling", lines[-1])

    def test_a_vector_kernel_beside_another_library(self):
        results_files.RESULTS = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        report = sample()
        report["kernels"] = [
            row | {"library": "CUB", "library_median_ms": 3 * row["median_ms"], "ratio_to_library": 3.0}
            for row in report["kernels"]
            if row["layout"] == "vector"
        ]
        path = results_files.RESULTS / "sample-gpu.json"
        path.write_text(json.dumps(report), encoding="utf-8")
        lines = tables.table(["sample-gpu#00_first_kernel@16384"]).splitlines()
        self.assertTrue(lines[0].endswith("| of ceiling | × CUB | 10 % … 90 % |"), lines[0])
        self.assertEqual(lines[2].split(" | ")[4], "3.00", lines[2])
        vectors = [row for row in report["kernels"] if row["rows"] == 16384]
        report["kernels"] += [vectors[0] | {"kernel": "another", "library": "Thrust"}]
        path.write_text(json.dumps(report), encoding="utf-8")
        with self.assertRaises(SystemExit):
            tables.table(["sample-gpu#00_first_kernel@16384"])

    def test_a_product_has_three_extents_and_shows_what_it_computes(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        results_files.RESULTS = pathlib.Path(folder.name)
        report = sample()
        report["kernels"] += [product(report), product(report, k=4095)]
        (results_files.RESULTS / "a-gpu.json").write_text(json.dumps(report), encoding="utf-8")
        lines = tables.table(["a-gpu#08_gemm_tiling@4096x4096x4096"]).splitlines()
        self.assertEqual(lines[0], "| kernel | median ms | GFLOP/s | of ceiling | × cuBLAS | 10 % … 90 % |")
        self.assertEqual(lines[2], "| tiled | 16.7772 | 8,192 | 50.0 % | 0.25 | 8.3886 … 33.5544 |")
        self.assertEqual(len(lines), 5)
        self.assertEqual(lines[-1], "Sample GPU, m = 4,096, n = 4,096, k = 4,096, 100 samples; "
                                    "fma ceiling in that run 16,384 GFLOP/s.")  # fmt: skip
        for names in (
            ["a-gpu#08_gemm_tiling@4096x4096"],
            ["a-gpu#08_gemm_tiling@4096x4096x4096", "a-gpu#08_gemm_tiling@4096x4096x4095"],
        ):
            with self.subTest(names), self.assertRaises(SystemExit):
                tables.table(names)

    def test_a_product_on_the_emulator_a_processor_and_machine_code(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        results_files.RESULTS = pathlib.Path(folder.name)
        row = {"kernel": "naive", "verified": True, "operations": 2048, "global_load_requests": 64,
               "global_load_sectors": 160, "global_store_sectors": 4}  # fmt: skip
        library = row | {"kernel": "cuBLAS", "global_load_requests": None}
        cpu = [{"kernel": name, "verified": True, "threads": 1, "samples": 3000, "median_ms": ms, "gflop_per_s": 2.0,
                "ratio_to_openblas": ratio}
               for name, ms, ratio in (("naive", 80.0, 0.1), ("other", 10.0, None))]  # fmt: skip
        report = {"backend": "emulator", "device": "emulator", "rows": 8, "cols": 16, "inner": 8,
                  "results": [row, library],
                  "cpu": {"device": "A CPU", "threads": 2, "rows": 9, "cols": 9, "inner": 9,
                          "results": cpu}}  # fmt: skip
        (results_files.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        lines = tables.table(["x"]).splitlines()
        self.assertIn("| sectors per request | sectors per multiply-add | store sectors |", lines[0])
        self.assertEqual(lines[2:], ["| naive | 64 | 160 | 2.50 | 0.1562 | 4 |", "",
                                     "Counted by the emulator, m = 8, n = 16, k = 8."])  # fmt: skip
        row["shared_bank_conflicts"] = 31  # of one kernel: then all say how many they have
        report["results"].append(row | {"kernel": "padded", "shared_bank_conflicts": 0})
        (results_files.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        lines = tables.table(["x"]).splitlines()
        self.assertTrue(lines[0].endswith("| store sectors | bank conflicts |"))
        self.assertEqual([line.split(" | ")[-1] for line in lines[2:4]], ["31 |", "0 |"])
        lines = tables.block("cpu", ["x"]).splitlines()
        self.assertEqual(lines[2:4], ["| naive | 1 | 80.0 | 2.00 | 1.0 | 0.100 |",
                                      "| other | 1 | 10.0 | 2.00 | 8.0 | – |"])  # fmt: skip
        self.assertEqual(lines[-1], "A CPU, 2 threads at most, m = 9, n = 9, k = 9, 3,000 samples or more.")
        small = json.loads(json.dumps(report["cpu"])) | {"rows": 8, "cols": 8, "inner": 8}
        small["results"][0] |= {"median_ms": 40.0, "gflop_per_s": 3.0}
        (results_files.RESULTS / "small.json").write_text(json.dumps({"cpu": small}), encoding="utf-8")
        lines = tables.block("cpu", ["small+x"]).splitlines()
        self.assertEqual(lines[0], "| product | threads | ms, N = 8 | ms, N = 9 | GFLOP/s, N = 8 | GFLOP/s, N = 9 |")
        self.assertEqual(lines[2:4], ["| naive | 1 | 40.0 | 80.0 | 3.00 | 2.00 |",
                                      "| other | 1 | 10.0 | 10.0 | 2.00 | 2.00 |"])  # fmt: skip
        self.assertEqual(lines[-1], "A CPU, 2 threads at most, matrices of N × N, 3,000 samples or more.")
        small["device"] = "Another CPU"
        (results_files.RESULTS / "small.json").write_text(json.dumps({"cpu": small}), encoding="utf-8")
        with self.assertRaises(SystemExit):
            tables.block("cpu", ["small+x"])
        cpu[1]["verified"] = False
        (results_files.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        with self.assertRaises(SystemExit):
            tables.block("cpu", ["x"])
        loop = {"instructions": 15, "multiply_adds": 4, "counts": {"FFMA": 4, "LDS": 6}}
        code = {"code": "sass", "nvcc": "13.0.88", "architecture": "sm_90",
                "kernels": [{"kernel": "k<32>", "registers": 27, "loop": loop}]}  # fmt: skip
        (results_files.RESULTS / "y.json").write_text(json.dumps(code), encoding="utf-8")
        lines = tables.block("instructions", ["y"]).splitlines()
        self.assertEqual(lines[0], "| kernel | registers | FFMA | LDS | all | instructions per multiply-add |")
        self.assertEqual(lines[2], "| `k<32>` | 27 | 4 | 6 | 15 | 3.75 |")
        self.assertIn("machine code for sm_90", lines[-1])
        loop["register_waits"] = 1200
        (results_files.RESULTS / "y.json").write_text(json.dumps(code), encoding="utf-8")
        lines = tables.block("instructions", ["y"]).splitlines()
        self.assertTrue(lines[0].endswith(" | instructions per multiply-add | waits for registers |"))
        self.assertEqual(lines[2], "| `k<32>` | 27 | 4 | 6 | 15 | 3.75 | 1,200 |")

    def test_what_shared_memory_allows(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        results_files.RESULTS = pathlib.Path(folder.name)
        row = {"kernel": "swizzled", "operations": 2 * 64 * 32 * 1000, "shared_load_instructions": 4000,
               "shared_load_wavefronts": 8000, "shared_store_wavefronts": 24000}  # fmt: skip
        report = {"rows": 64, "cols": 64, "inner": 500, "results": [row]}
        (results_files.RESULTS / "x.json").write_text(json.dumps(report), encoding="utf-8")
        lines = tables.block("shared", ["x"]).splitlines()
        self.assertEqual(lines[2], "| swizzled | 0.062 | 0.125 | 0.375 | 0.500 | 50 % |")

    def test_what_a_gpu_counted_of_vectors_and_of_products(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        results_files.RESULTS = pathlib.Path(folder.name)
        row = {"kernel": "gemm_tiled<16>", "global_load_requests": 2048, "global_load_sectors": 8192,
               "global_store_requests": 64, "global_store_sectors": 512, "shared_load_instructions": 20480,
               "shared_bank_conflicts": 3, "l1_hit_percent": 2.34, "memory_bytes_read": 16909032704,
               "warps_active_percent": 99.47, "registers_a_thread": 31}  # fmt: skip
        report = {"backend": "nsight", "device": "A GPU", "m": 64, "n": 128, "k": 64,
                  "results": [row, row | {"kernel": "sm80_xmma_gemm_f32_cublas"}]}  # fmt: skip
        vectors = {"backend": "nsight", "device": "A GPU", "rows": 64, "cols": 128,
                   "results": [row | {"kernel": "sgemv_split<float4, 256>"}, row | {"kernel": "sgemv_split<float4, 7>"}]}  # fmt: skip
        for name, content in ("products", report), ("vectors", vectors):
            (results_files.RESULTS / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        lines = tables.table(["products"]).splitlines()
        self.assertEqual(lines[0], "| kernel | sectors per multiply-add | found in level 1 | read from memory "
                         "| shared loads per multiply-add | warps active | registers | load requests | load sectors |")  # fmt: skip
        self.assertEqual(lines[2], "| tiled, 16 | 0.0156 | 2.3 % | 16.91 GB | 1.25 | 99.5 % | 31 | 2,048 | 8,192 |")
        self.assertEqual(lines[3][:10], "| cuBLAS |")
        self.assertEqual(lines[-1], "Counted by Nsight Compute, A GPU, m = 64, n = 128, k = 64.")
        lines = tables.table(["vectors"]).splitlines()
        figures = " | 2,048 | 8,192 | 512 | 2.3 % | 16.91 GB | 99.5 % | 31 |"
        self.assertEqual(lines[2], "| split two passes, first" + figures)
        self.assertEqual(lines[3], "| split, float4, 7" + figures)
        with self.assertRaises(SystemExit):
            tables.table(["products", "vectors"])

    def test_hot_is_asked_for_by_name(self):
        lines = tables.table(["sample-gpu#06_unroll@16384x8192/hot"]).splitlines()
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
                tables.table(names)


if __name__ == "__main__":
    unittest.main()
