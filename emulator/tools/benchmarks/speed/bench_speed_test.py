#!/usr/bin/env python3
"""Tests of bench_speed.py and speed_table.py: bench_speed_test.py EMUCC runs it all with tiny sizes;
bench_speed_test.py alone tests what needs no compiler."""

import contextlib
import io
import os
import pathlib
import re
import stat
import sys
import tempfile
import unittest

import bench_speed
import harness
import speed_table

EMUCC = ""


def report():
    def times(*wall):
        return {"milliseconds": list(wall), "processor_milliseconds": [2 * value for value in wall]}

    return {
        "processor": "Some CPU", "cores": 2, "compiler": "g++ 1", "pocl": "3.1", "numba": None,
        "clock": "milliseconds",
        "results": [
            {"kernel": "sgemv", "size": 1000, "sides": {"fast": times(2.0, 8.0, 3.0), "pocl": times(1.0, 1.0, 2.0)}},
            {"kernel": "gemm16", "size": 100, "sides": {"fast": times(0.5), "numba": times(700.0)}},
        ],
    }  # fmt: skip


def errors_of(function, *given):
    """What a call that ends the program says, and its status."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            status = function(*given)
        except SystemExit as left:
            status = left.code
    return status, said.getvalue()


class Arithmetic(unittest.TestCase):
    def test_lines(self):
        lines = speed_table.table(report()).splitlines()
        self.assertEqual(len(lines), 8)
        # 3 ms for a million; the ratios in turn are 2, 8 and 1.5.
        self.assertEqual(lines[2], "| SGEMV, a thread a row | 1,000 | emulator, fast | 3.00 | 2.00 … 8.00 "
                                   "| 3.00 | 2.00 (1.50 … 8.00) | – |")  # fmt: skip
        self.assertTrue(lines[3].endswith("| PoCL | 1.00 | 1.00 … 2.00 | 1.00 | – | 0.500 (0.125 … 0.667) |"), lines[3])
        # 0.5 ms for a million, and no PoCL at that size.
        self.assertTrue(lines[4].endswith("| 0.500 | 0.500 … 0.500 | 0.500 | – | – |"), lines[4])
        self.assertTrue(lines[5].endswith("| 700 | 700 … 700 | 700 | – | 1,400 (1,400 … 1,400) |"), lines[5])
        self.assertEqual(lines[7], "Kernels alone, time on the wall, 1 runs of each in turn; Some CPU, 2 cores, g++ 1, "
                                   "PoCL 3.1.")  # fmt: skip

    def test_short_lines(self):
        lines = speed_table.short_table(report()).splitlines()
        self.assertEqual(lines[2:4], [
            "| SGEMV, 1,000 | 3.0 | 2.0 (1.5…8.0) | – | – | – |",
            "| tiles of 16, 100 | 0.50 | – | – | – | 1,400 (1,400…1,400) |"])
        self.assertEqual(lines[5], speed_table.table(report()).splitlines()[7])

    def test_two_digits(self):
        self.assertEqual([speed_table.two_digits(value) for value in (3365, 124.9, 13.04, 5.72, 0.621, 0.0904)],
                         ["3,400", "120", "13", "5.7", "0.62", "0.090"])  # fmt: skip

    def test_the_other_clock(self):
        line = speed_table.table(report(), "processor_milliseconds").splitlines()[2]
        self.assertTrue(line.endswith("| 6.00 | 4.00 … 16.0 | 6.00 | 2.00 (1.50 … 8.00) | – |"), line)

    def test_work(self):
        self.assertEqual([speed_table.multiply_adds(k, 10) for k in bench_speed.SIZES], [100, 1000, 1000])

    def test_a_run_without_a_counterpart(self):
        content = report()
        content["results"][0]["sides"]["pocl"]["milliseconds"].pop()
        with self.assertRaisesRegex(ValueError, "without a counterpart"):
            speed_table.table(content)

    def test_medians(self):
        self.assertEqual(bench_speed.medians("x", "3 9\n1 7\n2 8\n", 3), (2, 8))
        for printed in ("", "1 2\n", "1 2\n0 1\n", "1\n2\n", "1 2\nx 1\n", "1 2 3\n1 2 3\n"):
            with self.assertRaises(harness.Failure):
                bench_speed.medians("x", printed, 2)

    def test_who_takes_part(self):
        parts = {name: [bench_speed.Side(name, []).takes_part(k) for k in range(3)] for name in speed_table.SIDES}
        self.assertEqual(parts["fast"], [True, True, True])
        self.assertEqual(parts["recorded"], [True, True, False])
        self.assertEqual(parts["numba"], [True, False, False])

    def test_turns(self):
        order = []

        class FakeSide(bench_speed.Side):
            def run(self, kernel, size, launches):
                order.append((self.name, launches))
                return 1.0, 2.0

        sides = [FakeSide("fast", []), FakeSide("recorded", []), FakeSide("numba", [])]
        result = bench_speed.measure(sides, "sgemv", 5, 1, 2)
        self.assertEqual(order, [("fast", 5), ("recorded", 1)] * 2)
        self.assertEqual(result["sides"]["fast"], {"milliseconds": [1.0, 1.0], "processor_milliseconds": [2.0, 2.0]})


class Sources(unittest.TestCase):
    cuda = (bench_speed.HERE / "kernels.cuh").read_text()
    opencl = (bench_speed.HERE / "kernels.cl").read_text()

    def test_the_same_kernels(self):
        harness.compare_sources(self.cuda, self.opencl)

    def test_other_kernels(self):
        for old, new in (("a_tile[ty][p]", "a_tile[p][ty]"), ("    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
                         ("global const", "constant"),
                         ("  y[row] = sum;\n}\n", "  y[row] = sum;\n}\nint x;\n")):  # fmt: skip
            self.assertIn(old, self.opencl)
            with self.assertRaisesRegex(harness.Failure, "kernels.cl differs"):
                harness.compare_sources(self.cuda, self.opencl.replace(old, new, 1))
        with self.assertRaisesRegex(harness.Failure, "kernels.cl differs"):
            harness.compare_sources(self.cuda, self.opencl + "// more\n")


class CommandLine(unittest.TestCase):
    def test_refused(self):
        for given, said in (([], "emucc"), (["true", "b"], "b"), (["true", "--repeat", "0"], "at least one"),
                            (["true", "--limit", "0"], "a time limit"), (["true", "--repeat", "x"], "'x'"),
                            (["true", "--kernels", "sgemv,other"], "'other'"), (["true", "--sides", ""], "''"),
                            (["true", "--clock", "sun"], "'sun'"), (["true", "--quick", "--out", "b"], "--quick"),
                            (["/nowhere"], "/nowhere is not an emucc that can be run"), (["/"], "is not an emucc")):  # fmt: skip
            given = [sys.executable if word == "true" else word for word in given]
            status, error = errors_of(bench_speed.arguments, given)
            self.assertEqual((status, error.count("\n")), (2, 1), (given, error))
            self.assertIn(said, error)

    def test_a_wrong_result_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "wrong"
            wrong.write_text("#!/bin/sh\necho '1 1'\necho 'bench: 3 of 4 elements are wrong' >&2\nexit 1\n")
            wrong.chmod(wrong.stat().st_mode | stat.S_IXUSR)
            with self.assertRaisesRegex(harness.Failure, "status 1: bench: 3 of 4 elements are wrong"):
                bench_speed.Side("fast", [wrong]).run("sgemv", 5, 1)


@unittest.skipUnless(sys.argv[1:], "no emucc")
class Programs(unittest.TestCase):
    def test_quick(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status, error = errors_of(bench_speed.main, [EMUCC, "--quick"])
        self.assertEqual(status, 0, error)
        sides = 3 if "without PoCL" in error else 4
        self.assertEqual(len(re.findall(r"^\| (?:SGEMV|product)", printed.getvalue(), re.MULTILINE)), 3 * sides)

    def test_wrong_kernels(self):
        """Kernels that leave out a term are found out, on both sides."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file in ("bench.cu", "problem.hpp"):
                (folder / file).write_text((bench_speed.HERE / file).read_text())
            for file in ("kernels.cuh", "kernels.cl"):
                text = (bench_speed.HERE / file).read_text()
                for right, wrong in (("int j = 0", "int j = 1"), ("int p = 0", "int p = 1")):
                    self.assertIn(right, text)
                    text = text.replace(right, wrong)
                (folder / file).write_text(text)
            harness.must([EMUCC, folder / "bench.cu", "-o", folder / "fast"])
            sides = [bench_speed.Side("fast", [folder / "fast"])]
            side, _ = bench_speed.pocl(folder, 300)
            if side is not None:
                sides.append(bench_speed.Side("pocl", [side.command[0], folder / "kernels.cl"]))
            for side in sides:
                for kernel in bench_speed.SIZES:
                    with self.assertRaisesRegex(harness.Failure, "elements are wrong: element"):
                        side.run(kernel, 17, 1)
            for given in ([], ["other", "1", "1"], ["sgemv", "0", "1"], ["sgemv", "1", "0"], ["sgemv", "", "1"],
                          ["sgemv", "1x", "1"], ["sgemv", "1", "1", "1"], ["gemm16", "99999", "1"]):  # fmt: skip
                done = harness.run([folder / "fast", *given], 60)[2]
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), given)


if __name__ == "__main__":
    if len(sys.argv) > 2 or (sys.argv[1:] and not os.access(sys.argv[1], os.X_OK)):
        print(f"usage: {sys.argv[0]} [EMUCC]", file=sys.stderr)
        sys.exit(2)
    EMUCC = "".join(sys.argv[1:])
    unittest.main(argv=sys.argv[:1])
