#!/usr/bin/env python3
"""Tests of checks_table.py."""

import unittest

import checks_table


def times(*seconds):
    return {"processor_seconds": list(seconds), "seconds": [9.0 for _ in seconds]}


def report():
    return {
        "processor": "Some CPU", "compiler": "g++ 1", "oclgrind": "21.10", "oclgrind_options": ["--one", "--two"],
        "checks": True, "start": {"emulator": times(0.002, 0.002, 0.004), "oclgrind": times(0.05, 0.05, 0.05)},
        "results": [
            {"kernel": "saxpy", "size": 1000000, "unit": "elements", "accesses": 3000000,
             "emulator": times(0.1, 0.2, 0.3), "oclgrind": times(10.0, 10.0, 12.0)},
            {"kernel": "gemm", "size": 9, "unit": "rows and columns", "accesses": 1000,
             "emulator": times(0.0001, 0.0001, 0.0001), "oclgrind": times(0.0101, 0.0101, 0.0101)},
        ],
    }  # fmt: skip


class ChecksTable(unittest.TestCase):
    def lines(self, content):
        return checks_table.table(content).splitlines()

    def test_a_line_a_kernel(self):
        lines = self.lines(report())
        self.assertEqual(
            lines[0], "| kernel | accesses | emulator, recording and checks | Oclgrind 21.10 | times as fast |"
        )
        self.assertEqual(lines[1], "|---|---:|---:|---:|---:|")
        # Medians: 0.2 s and 10 s; the ratios are 100, 50 and 40.
        self.assertEqual(lines[2], "| SAXPY, 1,000,000 elements | 3,000,000 | 67 ns | 3,333 ns | 50 (40 … 100) |")
        self.assertEqual(
            lines[3],
            "| product of matrices in tiles, 9 rows and columns | 1,000 | 100 ns | 10,100 ns | 101 (101 … 101) |",
        )
        self.assertEqual(len(lines), 6)

    def test_the_line_below(self):
        content = report()
        content["results"] = content["results"][:1]
        below = self.lines(content)[4]
        self.assertIn("median of 3 runs", below)
        self.assertIn("start (2 ms and 50 ms) is at most 1.0 % of a run", below)  # 2 ms of 0.2 s
        self.assertTrue(below.endswith("Some CPU, g++ 1, `oclgrind --one --two`."), below)

    def test_without_checks(self):
        self.assertIn("| emulator, recording |", self.lines(report() | {"checks": False})[0])

    def test_largest_start(self):
        content = report()
        self.assertAlmostEqual(checks_table.largest_start(content), 20)  # of the second kernel's 0.1 ms
        content["results"] = content["results"][:1]
        self.assertAlmostEqual(checks_table.largest_start(content), 0.01)
        content["start"]["oclgrind"] = times(5.0)
        self.assertAlmostEqual(checks_table.largest_start(content), 0.5)

    def test_refused(self):
        uneven = report()
        uneven["results"][0]["oclgrind"] = times(10.0, 10.0)
        with self.assertRaisesRegex(ValueError, "saxpy: runs without a counterpart"):
            checks_table.table(uneven)
        unknown = report()
        unknown["results"][0]["kernel"] = "other"
        with self.assertRaisesRegex(KeyError, "other"):
            checks_table.table(unknown)


if __name__ == "__main__":
    unittest.main()
