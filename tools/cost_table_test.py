"""Tests of cost_table.py."""

import json
import pathlib
import tempfile
import unittest

import cost_table


class CostTable(unittest.TestCase):
    def block(self, report):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "cost.json").write_text(json.dumps(report))
            return cost_table.block("cost", pathlib.Path(folder)).splitlines()

    def result(self, kernel, accesses, ns, megabytes):
        return {"kernel": kernel, "accesses": accesses, "ns_an_access": ns, "peak_megabytes": megabytes}

    def test_a_line_a_kernel(self):
        results = [self.result("one", 9_999_990, 20.4, 4), self.result("one", 100_000_032, 20.6, 5.7),
                   self.result("two", 10_000_064, 33, 4)]  # fmt: skip
        lines = self.block({"processor": "Some CPU", "compiler": "g++ 1", "results": results})
        self.assertEqual(lines[0], "| kernel | 10<sup>7</sup> accesses | 10<sup>8</sup> accesses | memory at most |")
        self.assertEqual(lines[2], "| one | 20 ns | 21 ns | 6 MB |")
        self.assertEqual(lines[3], "| two | 33 ns | – | 4 MB |")
        self.assertEqual(lines[5], "Time of one core for an access of one thread; Some CPU, g++ 1.")

    def test_powers(self):
        for accesses, power in ((1, 0), (3, 0), (4, 1), (999, 3), (1000, 3), (1001, 3), (10**9 + 5, 9)):
            self.assertEqual(cost_table.power(accesses), power, accesses)

    def test_refused(self):
        for report in ([], {}, {"processor": "a", "compiler": "b", "results": [{}]}):
            with self.assertRaisesRegex(SystemExit, "page_tables: cost.json: "):
                self.block(report)
        with self.assertRaisesRegex(SystemExit, "page_tables: no.json: "):
            cost_table.block("no", pathlib.Path("/nowhere"))


if __name__ == "__main__":
    unittest.main()
