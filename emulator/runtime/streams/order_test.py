#!/usr/bin/env python3
"""Tests of EMULATOR_ORDER: order_test.py PROGRAM PROGRAM.

The programs are order_program.cu, as it is and with --default-stream per-thread."""

import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().with_name("order_program.cu")
PROGRAM = PER_THREAD = ""


def run(part, program=None, **environment):
    """What the program prints, on stdout and on stderr, and its status."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
    done = subprocess.run([program or PROGRAM, part], capture_output=True, text=True, env=kept | environment, timeout=60)
    return done.stdout, done.stderr, done.returncode


class Order(unittest.TestCase):
    def test_who_forgets_to_wait_sees_old_data_in_the_late_order(self):
        for same in ({}, {"EMULATOR_ORDER": ""}, {"EMULATOR_ORDER": "issue"}):
            self.assertEqual(run("forgets", **same), ("2\n2\n", "", 0))
        self.assertEqual(run("forgets", EMULATOR_ORDER="late"), ("1\n2\n", "", 0))

    def test_a_seed_names_an_order_and_is_printed_once(self):
        self.assertEqual(run("two"), ("1" * 40 + "\n", "", 0))
        results = [run("two", EMULATOR_ORDER=str(seed)) for seed in (1, 2, 1)]
        for (out, errors, status), seed in zip(results, (1, 2, 1)):
            self.assertEqual(status, 0)
            self.assertEqual(set(out.strip()), {"0", "1"})
            self.assertEqual(
                errors, f"emulator: streams work in a random legal order: EMULATOR_ORDER={seed} repeats it\n"
            )
        self.assertEqual(results[0], results[2])
        self.assertNotEqual(results[0][0], results[1][0])

    def test_other_values_are_refused(self):
        for value in ("Late", "-1", "1.5", "7 ", "99999999999999999999", "0x10"):
            out, errors, status = run("forgets", EMULATOR_ORDER=value)
            self.assertEqual((out, status), ("", 2))
            self.assertEqual(
                errors,
                f"emulator: error: EMULATOR_ORDER={value}: want issue, late, or a number: the seed of a random order\n",
            )

    def test_memory_freed_in_a_stream_is_no_leak_if_the_program_ends_first(self):
        for order in ("issue", "late", "5"):
            out, errors, status = run("ends", EMULATOR_ORDER=order, EMULATOR_CHECK="1")
            self.assertNotIn("leak", errors)
            self.assertEqual((out, status), ("", 0))

    def test_a_finding_names_the_launch_and_not_who_waits_for_it(self):
        findings = {run("past", EMULATOR_ORDER=order, EMULATOR_CHECK="1") for order in ("issue", "late")}
        self.assertEqual(len(findings), 1)
        ((_, errors, status),) = findings
        self.assertEqual(status, 3)
        self.assertIn("out-of-bounds", errors)

    def test_a_seed_orders_blocks(self):
        # Recorded, blocks run one after another.
        turns = {seed: run("blocks", EMULATOR_ORDER=seed, EMULATOR_CHECK="1")[0] for seed in ("issue", "late", "1", "2")}
        first_to_last = " ".join(map(str, range(12))) + " \n"
        self.assertEqual((turns["issue"], turns["late"]), (first_to_last, first_to_last))
        for seed in ("1", "2"):
            self.assertEqual(sorted(map(int, turns[seed].split())), list(range(12)))
            self.assertNotEqual(turns[seed], first_to_last)
        self.assertNotEqual(turns["1"], turns["2"])

    def test_a_block_that_waits_for_one_that_has_not_begun_is_told(self):
        self.assertEqual(run("chain", EMULATOR_CHECK="1")[0], "cudaSuccess\n")
        out, errors, _ = run("chain", EMULATOR_ORDER="1", EMULATOR_CHECK="1")
        self.assertEqual(out, "cudaErrorLaunchFailure\n")
        self.assertIn("A block may wait only for blocks that drew a lower", errors)

    def test_blocks_of_a_cooperative_launch_meet_in_any_order(self):
        for environment in ({}, {"EMULATOR_ORDER": "1"}, {"EMULATOR_ORDER": "1", "EMULATOR_CHECK": "1"}):
            self.assertEqual(run("meet", **environment)[0], "cudaSuccess 1 2 3 4 5 6 7 8 9 10 11 0\n")

    def test_stream_0_is_the_threads_own_if_the_program_was_compiled_so(self):
        self.assertEqual(run("whose", EMULATOR_ORDER="late"), ("11\n", "", 0))
        self.assertEqual(run("whose", PER_THREAD, EMULATOR_ORDER="late"), ("01\n", "", 0))
        for program in (PROGRAM, PER_THREAD):
            self.assertEqual(run("whose", program), ("11\n", "", 0))


if __name__ == "__main__":
    PROGRAM, PER_THREAD = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
