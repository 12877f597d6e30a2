#!/usr/bin/env python3
"""Tests of mistakes_table.py, and that what docs/finding-bugs.md says beside its table is so."""

import json
import pathlib
import tempfile
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import mistakes_table
from places import RESULTS

SOURCE = """// What all have in common.

// case: waits
// correct
// All is well.
int a;

// case: races
// bug: race
// where: tile
// __syncthreads() is not there, nor wgmma.fence, nor a try_wait |
// in two lines.
int b;

// case: ends
// bug: leak
int c;
"""


def program(bug, *findings):
    return {"bug": bug, "findings": [dict(zip(("severity", "kind", "line"), finding)) for finding in findings]}


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "hopper").mkdir()
        (self.folder / "hopper" / "a.cu").write_text(SOURCE)
        self.corpus = {
            "bugs/other": program("race", ("error", "race", 1)),
            "hopper/a:waits": program(None),
            "hopper/a:races": program("race", ("error", "leak", 4), ("error", "race", 5)),
            "hopper/a:ends": program("leak"),
        }

    def block(self, *lines):
        for path, text in (("emulator/corpus.json", json.dumps({"programs": self.corpus})),
                           ("gpu/hopper_mistakes.txt", "\n".join(["Some GPU, driver 1", *lines, ""]))):  # fmt: skip
            (self.folder / path).parent.mkdir(exist_ok=True)
            (self.folder / path).write_text(text)
        return mistakes_table.block("gpu", self.folder, self.folder / "hopper")

    def test_all(self):
        self.assertEqual(self.block(
            "a: races: ptxas adds warpgroup.wait",
            "a: waits: right",
            "a: races: wrong, 3 of 4 elements",
            "a: ends: error, an illegal instruction was encountered",
        ).splitlines(), [
            "| on the GPU | mistakes | what the emulator calls them |",
            "|---|---:|---|",
            "| a wrong result | 1 | race (1) |",
            "| an error | 1 | leak (1) |",
            "| **all** | **2** | |",
            "",
            "Some GPU, driver 1. Of 1 programs without a mistake 1 gave the right result.",
            "The errors: illegal instruction (1).",
            "",
            "<details><summary>All 2 mistakes</summary>",
            "",
            "| [a](../emulator/evidence/corpus/hopper/a.cu): what is wrong | emulator | GPU |",
            "|---|---|---|",
            "| `__syncthreads()` is not there, nor `wgmma.fence`, nor a `try_wait` \\| in two lines "
            "| [race](../emulator/evidence/corpus/hopper/a.cu#L5) | wrong, mended |",
            "|  | **not found** | error |",
            "",
            "*mended*: ptxas says that it has added a `warpgroup.wait`.",
            "",
            "</details>",
        ])  # fmt: skip

    def test_not_run(self):
        text = self.block("a: waits: wrong, 1 of 4 elements", "a: races: timed out")
        for line in ("| no end | 1 | race (1) |", "| **all** | **1** | |", "1 of the programs were not run there.",
                     "|  | **not found** | not run |", "<details><summary>All 2 mistakes</summary>"):  # fmt: skip
            self.assertIn(line, text.splitlines())
        self.assertIn("Of 1 programs without a mistake 0 gave the right result.", text)
        self.assertNotIn("mended", text)

    def test_refused(self):
        for line in ("a: races: rather right", "a: races", "a: gone: right", "b: races: right",
                     "a: gone: ptxas adds warpgroup.wait"):  # fmt: skip
            with self.subTest(line), self.assertRaisesRegex(SystemExit, "tables: gpu/hopper_mistakes.txt, "):
                self.block(line)
        with self.assertRaisesRegex(SystemExit, "tables: "):
            mistakes_table.block("nowhere", self.folder, self.folder / "hopper")


class Page(unittest.TestCase):
    """What the page says in words; the numbers stand in its table."""

    def setUp(self):
        _, self.ends, self.added = mistakes_table.outcomes((RESULTS / "nvidia-h200" / "hopper_mistakes.txt").read_text())
        corpus = json.loads((RESULTS / "emulator" / "corpus.json").read_text())["programs"]
        self.bugs = {name: entry for name, entry in corpus.items() if name.startswith("hopper/") and entry["bug"]}

    def ends_of(self, *names):
        return {self.ends[f"hopper/{name}"][0] for name in names}

    def test_right_is_the_most_frequent_end(self):
        ends = [self.ends[name][0] for name in self.bugs if name in self.ends]
        self.assertEqual(max(set(ends), key=ends.count), "right")

    def test_every_missing_fence_came_right(self):
        fences = [name for name, entry in self.bugs.items() if entry["bug"] == "missing-fence" and name in self.ends]
        self.assertGreater(len(fences), 1)
        self.assertEqual({self.ends[name][0] for name in fences}, {"right"})

    def test_stages_given_back_too_early_came_right(self):
        self.assertEqual(self.ends_of("copies:stage_filled_while_read", "operands:stage_filled_before_the_wait",
                                      "operands:stage_given_back_before_the_wait", "multicasts:partner_still_reads"),
                         {"right"})  # fmt: skip

    def test_waits_that_do_not_wait_came_wrong(self):
        self.assertEqual(self.ends_of("barriers:parity_of_the_phase_before", "barriers:no_bytes_expected",
                                      "copies:tile_before_its_phase", "copies:wait_without_a_loop"),
                         {"wrong"})  # fmt: skip

    def test_what_is_missing_at_a_barrier_hangs(self):
        self.assertEqual(self.ends_of("barriers:bytes_too_many", "barriers:arrivals_missing",
                                      "barriers:phase_that_nobody_begins", "multicasts:partner_expects_nothing"),
                         {"timed out"})  # fmt: skip

    def test_mended_by_ptxas(self):
        self.assertEqual({name.split(":")[1]: what for name, what in self.added.items()}, {
            "no_wait": "warpgroup.wait",
            "wait_for_all_but_one": "warpgroup.wait",
            "no_fence_before_the_first": "warpgroup.arrive",
            "sums_changed_without_a_fence": "warpgroup.arrive",
        })  # fmt: skip
        wrong = {name.split(":")[1] for name in self.added if self.ends[name][0] != "right"}
        self.assertEqual(wrong, {"wait_for_all_but_one"})

    def test_errors_that_say_nothing(self):
        words = [self.ends[name][1] for name in self.bugs if self.ends.get(name, "")[:1] == ("error",)]
        self.assertEqual(max(set(words), key=words.count), "unspecified launch failure")


if __name__ == "__main__":
    unittest.main()
