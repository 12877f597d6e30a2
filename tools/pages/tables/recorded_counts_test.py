#!/usr/bin/env python3
"""Tests of recorded_counts.py with files of its own."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import recorded_counts  # noqa: E402


def row(kernel="naive", **more):
    return {"kernel": kernel, "verified": True, "wall_ms": 3.5, "global_load_sectors": 8192, **more}


class RecordedCounts(unittest.TestCase):
    def problems(self, now, stem="20_pipeline"):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            report = {"chapter": "20_pipeline", "results": [row(), row("cuBLAS", global_load_sectors=None)]}
            (folder / f"{stem}.json").write_text(json.dumps(report), encoding="utf-8")
            return list(recorded_counts.problems(now, folder))

    def test_what_is_counted_has_to_be_what_is_kept(self):
        rows = {"naive": row(wall_ms=9.0, more=1), "cuBLAS": row("cuBLAS", global_load_sectors=None)}
        self.assertEqual(self.problems(lambda program: rows), [])
        rows["naive"]["global_load_sectors"] = 14336
        self.assertEqual(self.problems(lambda program: rows),
                         ["20_pipeline: naive: global_load_sectors is 14336, kept is 8192"])  # fmt: skip
        self.assertEqual(self.problems(lambda program: rows, "20_pipeline_1024"), [])  # with options

    def test_other_kernels_and_no_program(self):
        self.assertEqual(self.problems(lambda program: {"naive": row()}),
                         ["20_pipeline: the kernels are naive, kept are naive, cuBLAS"])  # fmt: skip

        def missing(program):
            raise ValueError(f"no program {program}")

        self.assertEqual(self.problems(missing), ["20_pipeline: no program 20_pipeline"])

        def skipped(program):
            raise ValueError(f"{program}: exit status 77: SKIPPED: no OpenCL")

        self.assertEqual(self.problems(skipped), [])


if __name__ == "__main__":
    unittest.main()
