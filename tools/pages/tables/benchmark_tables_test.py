#!/usr/bin/env python3
"""Tests of benchmark_tables.py."""

import json
import pathlib
import tempfile
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import benchmark_tables
import tables


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def block(self, kind, report):
        (self.folder / f"{kind}.json").write_text(json.dumps(report))
        return getattr(benchmark_tables, kind)(kind, self.folder).splitlines()


class EveryKind(Blocks):
    def test_refused(self):
        for kind in ("cost", "checks", "speed"):
            for report in ([], {}, {"processor": "a", "compiler": "b", "results": [{}]}):
                with self.subTest(kind, report=report), self.assertRaisesRegex(SystemExit, f"tables: {kind}.json: "):
                    self.block(kind, report)
            with self.assertRaisesRegex(SystemExit, "tables: no.json: "):
                getattr(benchmark_tables, kind)("no", pathlib.Path("/nowhere"))

    def test_kinds_of_the_pages(self):
        for kind in ("cost", "checks", "speed"):
            page = f"<!-- {kind}: emulator/no-such-file -->\nold\n<!-- end of {kind} -->\n"
            match = tables.BLOCK.search(page)
            self.assertEqual((match[2], len(tables.FIRST_LINE.findall(page))), (kind, 1))
            with self.assertRaisesRegex(SystemExit, "tables: no-such-file.json: "):
                tables.block(match[2], match[3].split())


class Cost(Blocks):
    def result(self, kernel, accesses, ns, megabytes):
        return {"kernel": kernel, "accesses": accesses, "ns_an_access": ns, "peak_megabytes": megabytes}

    def test_a_line_a_kernel(self):
        results = [self.result("one", 9_999_990, 20.4, 4), self.result("one", 100_000_032, 20.6, 5.7),
                   self.result("two", 10_000_064, 33, 4)]  # fmt: skip
        lines = self.block("cost", {"processor": "Some CPU", "compiler": "g++ 1", "results": results})
        self.assertEqual(lines[0], "| kernel | 10⁷ accesses | 10⁸ accesses | memory at most |")
        self.assertEqual(lines[2], "| one | 20 ns | 21 ns | 6 MB |")
        self.assertEqual(lines[3], "| two | 33 ns | – | 4 MB |")
        self.assertEqual(lines[5], "Time of one core for an access of one thread; Some CPU, g++ 1.")

    def test_powers(self):
        for accesses, power in ((1, 0), (3, 0), (4, 1), (999, 3), (1000, 3), (1001, 3), (10**9 + 5, 9)):
            self.assertEqual(benchmark_tables.power(accesses), power, accesses)


class Checks(Blocks):
    def report(self, kernel="saxpy", repeats=2):
        times = {"processor_seconds": [0.25, 0.5]}
        result = {"kernel": kernel, "size": 9, "unit": "elements", "accesses": 1000, "emulator": times,
                  "oclgrind": {"processor_seconds": [10.0] * repeats}}  # fmt: skip
        return {"processor": "Some CPU", "compiler": "g++ 1", "oclgrind": "1", "oclgrind_options": [], "checks": True,
                "start": {"emulator": times, "oclgrind": times}, "results": [result]}  # fmt: skip

    def test_what_the_benchmark_makes_of_it(self):
        self.assertTrue(self.block("checks", self.report())[2].startswith("| SAXPY, 9 elements | 1,000 | "))

    def test_contradictions(self):
        for report in (self.report("other"), self.report(repeats=3), self.report() | {"results": []}):
            with self.assertRaisesRegex(SystemExit, "tables: checks.json: "):
                self.block("checks", report)


class Speed(Blocks):
    def report(self):
        sides = {"fast": {"wall": [2.0], "processor": [4.0]}}
        return {"processor": "Some CPU", "cores": 2, "compiler": "g++ 1", "pocl": None, "numba": None,
                "clock": "wall", "results": [{"kernel": "sgemv", "size": 10, "sides": sides}]}  # fmt: skip

    def test_by_the_clock_that_the_file_names(self):
        for clock, cell in (("wall", "2.0"), ("processor", "4.0")):
            lines = self.block("speed", self.report() | {"clock": clock})
            self.assertEqual(lines[2], f"| SGEMV, 10 | {cell} | – | – | – | – |")


if __name__ == "__main__":
    unittest.main()
