#!/usr/bin/env python3
"""Tests of counter_tables.py, with a small repository."""

import copy
import json
import pathlib
import tempfile
import sys
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import counter_tables
import tables

import compare_counters  # isort: skip (places says where it is)

CHAPTER = ["--rows", "3", "--cols", "5"]
KERNELS = [f"stride_{number}" for number in range(40)]


def launch(instance, **counters):
    """As in a report of either side; 1000 of everything, unless it is said otherwise."""
    return {"kernel": instance.split("<")[0], "instance": instance, "grid": [4, 1, 1], "block": [128, 1, 1],
            **{counter: 1000 for counter in compare_counters.COUNTERS}} | counters  # fmt: skip


class Repository(unittest.TestCase):
    """A repository in which all is equal, to be spoiled: the emulator's kernels, and one of a chapter."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.gpu = {"05_name_small": [launch("rows<4, 1>")], "micro_kernels": [launch(name) for name in KERNELS]}
        self.emulator = copy.deepcopy(self.gpu)
        self.emulator["05_name_small"][0]["instance"] = "rows<4, true>"
        self.exceptions = {"05_name_small": [], "micro_kernels": []}

    def file(self, path, content):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def write_run(self, files, run, program, options, folder):
        """A run, what both sides counted, and the exceptions."""
        [path] = files.runs or [folder / "counted_runs.txt"]
        self.file(path, " ".join(["# a comment\n", run, program, *options]))
        self.file(files.recorded / f"{run}.json", {"program": program, "options": options, "kernels": self.gpu[run]})
        self.file(files.exceptions, self.exceptions[run])
        rows, _ = compare_counters.compare({run: self.gpu[run]}, {run: self.emulator[run]})
        self.file(files.counts, compare_counters.text_of(rows))

    def write(self):
        kernels = self.root / "emulator/evidence/counters/kernels"
        entries = "".join(f"      COUNTERS_KERNEL({name}, 4, 128, arrays.floats),\n" for name in KERNELS[:39])
        comment = "/// @file\n/// Floats, in fixed\n/// places: more.\n"
        self.file(kernels / "strides.cuh", f"{comment}\n{entries}")
        entry = f"      COUNTERS_SHARED_KERNEL(\n          {KERNELS[39]}, 4, 128, 7),\n"
        self.file(kernels / "loops.cuh", f"/// @file\n/// Loops.\n\n{entry}")
        self.write_run(counter_tables.of_emulator(self.root, "gpu"), "micro_kernels", "micro_kernels", [], None)
        self.write_run(counter_tables.of_chapters(self.root, "gpu"), "05_name_small", "05_name", CHAPTER,
                       self.root / "chapters" / "05_name")  # fmt: skip

    def micro(self, name, side=None):
        return next(one for one in (side or self.emulator)["micro_kernels"] if one["instance"] == name)

    def except_(self, kernel, *counters, run="micro_kernels", pattern=None, name="a reason"):
        self.exceptions[run].append(
            {"name": name, "reason": f"Says why: {name}.", "kernels": {pattern or run: {kernel: counters}}}
        )


class Tables(Repository):
    def block(self):
        self.write()
        return counter_tables.block("gpu", self.root).splitlines()

    def test_a_line_a_theme(self):
        self.micro("stride_7")["shared_load_wavefronts"] = 1001
        lines = self.block()
        self.assertEqual(lines[0], "| what | launches | equal | within 2 % | different |")
        self.assertIn("| Floats, in fixed places | 39 | 38 | 1 | 0 |", lines)
        self.assertIn("| Loops | 1 | 1 | 0 | 0 |", lines)
        self.assertIn("| Kernels of the chapters | 1 | 1 | 0 | 0 |", lines)
        self.assertIn("| **all** | **41** | **40** | **1** | **0** |", lines)

    def test_what_differs_and_why(self):
        self.micro("stride_7").update(global_load_sectors=4000, shared_store_wavefronts=1)
        self.micro("stride_7")["shared_store_bank_conflicts"] = 0
        self.except_("stride_7", "global_load_sectors", name="first")
        self.except_("stride_7", "shared_store_wavefronts", "shared_store_bank_conflicts", name="second")
        self.emulator["05_name_small"][0]["global_store_requests"] = 999
        self.except_("rows<4, true>", "global_store_requests", run="05_name_small", pattern="05_*", name="third")
        lines = self.block()
        self.assertIn("- **First** (1): Says why: first.", lines)
        self.assertIn("| `stride_7` | loads: sectors 4,000 → 1,000; shared stores: wavefronts 1 → 1,000, "
                      "conflicts 0 → 1,000 | first, second |", lines)  # fmt: skip
        self.assertIn("| 05 `rows<4, true>`, 3 × 5 | stores: requests 999 → 1,000 | third |", lines)
        self.assertIn("| Kernels of the chapters | 1 | 0 | 0 | 1 |", lines)
        themes = [line.split(" | ")[0] for line in lines[2:6]]
        self.assertEqual(themes, ["| Floats, in fixed places", "| Loops", "| Kernels of the chapters", "| **all**"])

    def test_all_launches_with_all_counters(self):
        for side in (self.gpu, self.emulator):
            self.micro("stride_3", side).update(dict.fromkeys(compare_counters.COUNTERS, 0), global_load_requests=8)
        self.micro("stride_7")["shared_load_wavefronts"] = 1001
        self.assertEqual(self.block()[-3:-1], [
            "<!-- long table: counters gpu -->",
            "All 41 launches, counter by counter: `python3 tools/pages long-table counters gpu` prints the table.",
        ])  # fmt: skip
        lines = counter_tables.long_table("gpu", self.root).splitlines()
        self.assertEqual(lines[0], "<details><summary>All 41 launches, counter by counter</summary>")
        self.assertIn("| `stride_3` | 4×1×1, 128×1×1 | 8 / 0 |  |  |  |  | equal |", lines)
        three = "1,000 / 1,000 / 1,000"
        self.assertIn("| `stride_7` | 4×1×1, 128×1×1 | 1,000 / 1,000 | 1,000 / 1,000 | 1,000 / 1,001 → 1,000 / 1,000 "
                      f"| {three} | {three} / 1,000 / 1,000 | within 2 % |", lines)  # fmt: skip
        self.assertEqual(sum(line.endswith("| equal |") for line in lines), 40)
        self.assertEqual(lines[-1], "</details>")

    def test_no_table_of_what_nobody_explained(self):
        self.micro("stride_7")["global_load_sectors"] = 4000
        with self.assertRaisesRegex(SystemExit, "1 errors; the first: .*stride_7"):
            self.block()

    def test_no_table_without_the_counts(self):
        for files, name in ((counter_tables.of_emulator, "counts"), (counter_tables.of_chapters, "counters")):
            self.write()
            files(self.root, "gpu").counts.unlink()
            with self.assertRaisesRegex(SystemExit, f"tables: .*{name}.json: No such file"):
                counter_tables.block("gpu", self.root)

    def test_one_reason_in_both_files(self):
        self.micro("stride_7")["global_load_sectors"] = 4000
        self.emulator["05_name_small"][0]["global_store_requests"] = 999
        self.except_("stride_7", "global_load_sectors", name="first")
        self.except_("rows<4, true>", "global_store_requests", run="05_name_small", name="first")
        lines = self.block()
        self.assertIn("- **First** (2): Says why: first.", lines)
        self.exceptions["05_name_small"][0]["reason"] = "Says something else."
        with self.assertRaisesRegex(SystemExit, "tables: two reasons for 'first'"):
            self.block()
        self.exceptions["05_name_small"][0] = self.exceptions["micro_kernels"][0]
        with self.assertRaisesRegex(SystemExit, "tables: two exceptions 'first' for micro_kernels"):
            self.block()

    def test_a_kind_of_the_pages(self):
        page = "text\n<!-- counters: nvidia-h200 -->\nold\n<!-- end of counters -->\n"
        [(_, kind, names, _)] = tables.BLOCK.findall(page)
        self.assertEqual((kind, names), ("counters", "nvidia-h200"))
        self.assertEqual(len(tables.FIRST_LINE.findall(page)), 1)
        self.assertIn("| `grid_stride` | loads: requests 32 → 35; stores: requests 32 → 35 | unrolled loop |",
                      tables.block(kind, names.split()))  # fmt: skip


if __name__ == "__main__":
    unittest.main()
