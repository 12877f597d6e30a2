#!/usr/bin/env python3
"""Tests what nsight_counters.py makes of ncu's table."""

import unittest

import nsight_counters


def row(**values):
    """A launch as ncu's table has it: 8 loads of shared memory, 24 wavefronts, and nothing else."""
    counted = {metric: "0" for metric in nsight_counters.METRICS.values()}
    counted |= {"smsp__inst_executed_op_shared_ld.sum": "8",
                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "24"}  # fmt: skip
    return {"Kernel Name": "void (anonymous namespace)::rows<(int)4>(float *)", "Grid Size": "(1, 1, 1)",
            "Block Size": "(32, 1, 1)", **counted, **{f"{name}.sum": value for name, value in values.items()}}  # fmt: skip


class Counters(unittest.TestCase):
    def loads(self, **values):
        return nsight_counters.counters_of(row(**values)).get("shared_load_instructions")

    def test_instructions_for_whole_matrices_are_added(self):
        self.assertEqual(self.loads(), 8)
        self.assertEqual(self.loads(smsp__inst_executed_op_ldsm="1,002"), 1010)

    def test_what_was_counted_in_part_is_left_out(self):
        self.assertEqual(self.loads(smsp__inst_executed_op_generic_ld="0"), 8)
        self.assertIsNone(self.loads(smsp__inst_executed_op_generic_ld="2"))
        # Here they were for other memory.
        self.assertEqual(self.loads(smsp__inst_executed_op_generic_ld="2",
                                    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld="0"), 8)  # fmt: skip
        self.assertEqual(nsight_counters.counters_of(row(smsp__inst_executed_op_generic_st="2"))
                         ["shared_store_instructions"], 0)  # fmt: skip

    def test_a_counter_that_must_be_there(self):
        with self.assertRaisesRegex(SystemExit, "ncu gave no smsp__inst_executed_op_shared_ld.sum for .*rows.*: nan"):
            self.loads(smsp__inst_executed_op_shared_ld="nan")

    def test_what_a_launch_is_called(self):
        launch, = nsight_counters.launches_of([row(), row()], "rows")
        self.assertEqual((launch["kernel"], launch["instance"], launch["grid"]), ("rows", "rows<4>", [1, 1, 1]))


if __name__ == "__main__":
    unittest.main()
