#!/usr/bin/env python3
"""Tests of renamed.py."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402 (says where the rooms are)
import renamed
from results_files import all_gpus, load


class Present(unittest.TestCase):
    def test_a_name_alone_at_the_front_and_at_the_back(self):
        for chapter, old, new in (
            ("20_gemm_pipeline", "copiers", "producer warps"),
            ("21_tensor_cores", "copiers, constant", "producer warps, constant"),
            ("19_gemm_registers", "4 x 8 in early", "4 x 8 double-buffered"),
            ("19_gemm_registers", "swizzled", "swizzled"),
            ("00_first_kernel", "copiers", "copiers"),
        ):
            self.assertEqual(renamed.present(chapter, old), new)

    def test_a_printed_table_keeps_its_columns(self):
        report = {"chapter": "tensor_clocks", "notes": ["copiers                  456  2431", "  copiers                1", "no table"],
                  "results": [{"kernel": "shared out"}]}  # fmt: skip
        report = renamed.with_present_names(report)
        self.assertEqual(report["notes"], ["producer warps           456  2431", "  producer warps         1", "no table"])
        self.assertEqual(report["results"], [{"kernel": "stream-k"}])

    def test_no_recorded_name_is_left_as_it_was(self):
        old = {(chapter, name) for chapter, names in renamed.NAMES.items() for name in names}
        self.assertTrue(old)
        for gpu in all_gpus():
            for path in sorted((places.RESULTS / gpu / "measured").glob("*.json")):
                for row in load(f"{gpu}/measured/{path.stem}")["kernels"]:
                    self.assertNotIn((row["chapter"], row["kernel"]), old)


if __name__ == "__main__":
    unittest.main()
