#!/usr/bin/env python3
"""Tests of compare_counters.py and counter_tables.py, with a small repository and stand-ins for programs."""

import contextlib
import copy
import io
import json
import pathlib
import tempfile
import unittest

import compare_counters
import counter_tables
import page_tables

# A program of the build: it "counts" what stands beside it, if it is started as it should be.
PROGRAM = """#!/bin/sh
[ "$EMULATOR_MULTIPROCESSORS" = 132 ] || exit 3
[ "$*" = "{options}" ] || exit 4
cp "$0.json" "$EMULATOR_REPORT"
"""
CHAPTER = ["--rows", "3", "--cols", "5"]
KERNELS = [f"stride_{number}" for number in range(40)]


def launch(instance, **counters):
    """As in a report of either side; 1000 of everything, unless it is said otherwise."""
    return {"kernel": instance.split("<")[0], "instance": instance, "grid": [4, 1, 1], "block": [128, 1, 1],
            **{counter: 1000 for counter in compare_counters.COUNTERS}} | counters  # fmt: skip


class Repository(unittest.TestCase):
    """A repository in which all is equal, to be spoiled."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.runs = {"05_name_small": ["05_name", *CHAPTER], "micro_kernels": ["micro_kernels"]}
        self.gpu = {"05_name_small": [launch("rows<4, 1>")], "micro_kernels": [launch(name) for name in KERNELS]}
        self.emulator = copy.deepcopy(self.gpu)
        self.emulator["05_name_small"][0]["instance"] = "rows<4, true>"
        self.exceptions = []
        self.status = None

    def file(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def write(self):
        self.file("docs/results/nvidia-h200.json", {"device": {"multiprocessors": 132}})
        self.file("docs/results/nvidia-h200/counter_exceptions.json", self.exceptions)
        lines = [" ".join([run, *command]) for run, command in self.runs.items()]
        self.file("tools/counters/runs.txt", "\n".join(["# a comment", *lines]))
        entries = "".join(f"      COUNTERS_KERNEL({name}, 4, 128, arrays.floats),\n" for name in KERNELS[:39])
        comment = "/// @file\n/// Floats, in fixed\n/// places: more.\n"
        self.file("tools/counters/kernels/strides.cuh", f"{comment}\n{entries}")
        entry = f"      COUNTERS_SHARED_KERNEL(\n          {KERNELS[39]}, 4, 128, 7),\n"
        self.file("tools/counters/kernels/loops.cuh", f"/// @file\n/// Loops.\n\n{entry}")
        for run, (program, *options) in self.runs.items():
            self.file(f"docs/results/nvidia-h200/counters/launches/{run}.json",
                      {"program": program, "options": options, "kernels": self.gpu[run]})  # fmt: skip
            path = f"build/{'tools/counters' if program == 'micro_kernels' else 'chapters'}/{program}"
            self.file(path, PROGRAM.format(options=" ".join(options))).chmod(0o755)
            self.file(f"{path}.json", {"kernels": self.emulator[run]})

    def compare(self, *options, build="build"):
        """What the comparison prints: errors, and the line that sums it up."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            self.status = compare_counters.main([*options, str(self.root / build)], self.root)
        return errors.getvalue().splitlines(), output.getvalue().strip()

    def accept(self):
        """The files as they should be, the emulator's own among them."""
        self.write()
        self.compare("--write")

    def assert_error(self, *parts):
        """Exactly one error, with these parts, beside that of the emulator's own file."""
        self.accept()
        errors, _ = self.compare()
        self.assertEqual(len(errors), 1, errors)
        for part in parts:
            self.assertIn(part, errors[0])
        self.assertEqual(self.status, 1)

    def micro(self, name, side=None):
        return next(one for one in (side or self.emulator)["micro_kernels"] if one["instance"] == name)

    def except_(self, kernel, *counters, run="micro_kernels", name="a reason"):
        self.exceptions.append({"name": name, "reason": f"Says why: {name}.", "kernels": {run: {kernel: counters}}})


class Compare(Repository):
    def test_equal(self):
        self.accept()
        errors, summary = self.compare()
        self.assertEqual((errors, self.status), ([], 0))
        self.assertEqual(summary, "41 launches in 2 runs compared: 41 equal, 0 within 2 %, "
                                  "0 different for a known reason")  # fmt: skip

    def test_global_counters_must_be_equal(self):
        for counter in ("global_load_requests", "global_store_sectors", "global_atomic_sectors"):
            with self.subTest(counter):
                self.setUp()
                self.micro("stride_7")[counter] = 1001
                self.assert_error("stride_7", counter, "emulator 1001, GPU 1000")

    def test_shared_counters_may_differ_by_2_percent(self):
        for counter in ("shared_load_instructions", "shared_store_wavefronts", "shared_load_bank_conflicts"):
            for value, wrong in ((1020, False), (980, False), (1021, True), (979, True)):
                with self.subTest(counter, value=value):
                    self.setUp()
                    self.micro("stride_7")[counter] = value
                    if wrong:
                        self.assert_error("stride_7", counter, f"emulator {value}")
                        continue
                    self.accept()
                    errors, summary = self.compare()
                    self.assertEqual(errors, [])
                    self.assertIn("40 equal, 1 within 2 %", summary)

    def test_nothing_on_the_gpu_is_nothing_on_the_emulator(self):
        self.micro("stride_7", self.gpu)["shared_load_bank_conflicts"] = 0
        self.micro("stride_7")["shared_load_bank_conflicts"] = 1
        self.assert_error("stride_7", "shared_load_bank_conflicts")

    def test_a_counter_that_the_gpu_lacks_is_not_compared(self):
        del self.micro("stride_7", self.gpu)["shared_atomic_instructions"]
        self.micro("stride_7")["shared_atomic_instructions"] = 5
        self.accept()
        self.assertEqual(self.compare()[0], [])

    def test_a_kernel_that_the_emulator_did_not_run(self):
        self.emulator["05_name_small"] = []
        self.assert_error("rows<4, 1>", "the emulator did not")

    def test_grid_and_block_tell_launches_apart(self):
        for what in ("grid", "block"):
            with self.subTest(what):
                self.setUp()
                self.emulator["05_name_small"][0][what] = [2, 1, 1]
                self.assert_error("rows<4, 1>", "the emulator did not")

    def test_a_micro_kernel_that_the_gpu_did_not_run(self):
        self.emulator["micro_kernels"].append(launch("new_one"))
        self.assert_error("new_one", "older than this kernel")

    def test_other_kernels_of_a_chapter_do_not_count(self):
        self.emulator["05_name_small"].append(launch("read_all"))
        self.accept()
        self.assertEqual(self.compare()[0], [])

    def test_the_first_of_several_launches_counts(self):
        for place, wrong in ((1, False), (0, True)):
            with self.subTest(place=place):
                self.setUp()
                self.emulator["micro_kernels"].insert(place, launch("stride_0", global_load_sectors=1))
                self.write()
                self.compare("--write")
                self.assertEqual(bool(self.compare()[0]), wrong)

    def test_too_few_micro_kernels(self):
        del self.gpu["micro_kernels"][39], self.emulator["micro_kernels"][39]
        self.assert_error("39 micro-kernels compared, want 40")

    def test_an_exception_with_a_difference(self):
        self.micro("stride_7")["global_load_sectors"] = 4000
        self.except_("stride_7", "global_load_sectors")
        self.accept()
        errors, summary = self.compare()
        self.assertEqual((errors, self.status), ([], 0))
        self.assertIn("40 equal, 0 within 2 %, 1 different for a known reason", summary)

    def test_an_exception_is_for_its_counters_only(self):
        self.micro("stride_7").update(global_load_sectors=4000, global_load_requests=500)
        self.except_("stride_7", "global_load_sectors")
        self.assert_error("stride_7", "global_load_requests")

    def test_an_exception_is_for_its_run_only(self):
        self.emulator["05_name_small"][0]["global_load_sectors"] = 4000
        self.except_("rows<4, true>", "global_load_sectors", run="05_name_*")
        self.accept()
        self.assertEqual(self.compare()[0], [])
        self.exceptions = []
        self.except_("rows<4, true>", "global_load_sectors", run="05_name_large")
        self.accept()
        errors, _ = self.compare()
        self.assertEqual(len(errors), 2, errors)
        self.assertIn("no run is called 05_name_large", errors[0])
        self.assertIn("emulator 4000, GPU 1000", errors[1])

    def test_an_exception_that_is_not_needed(self):
        self.except_("stride_7", "global_load_sectors")
        self.assert_error("stride_7", "global_load_sectors", "not needed any more")
        self.setUp()
        self.except_("stride_70", "global_load_sectors")
        self.assert_error("stride_70", "not needed any more")

    def test_an_exception_given_twice(self):
        self.micro("stride_7")["global_load_sectors"] = 4000
        self.except_("stride_7", "global_load_sectors")
        self.except_("stride_7", "global_load_sectors", name="another")
        self.assert_error("stride_7", "excepted twice")

    def test_the_emulators_file_is_kept_in_step(self):
        self.write()
        errors, _ = self.compare()
        self.assertEqual(len(errors), 1)
        self.assertIn("counters.json is not what was counted just now", errors[0])
        self.compare("--write")
        self.assertEqual(self.status, 0)
        self.assertEqual(self.compare(), self.compare("--write"))
        counted = compare_counters.read_emulator(self.root)
        self.assertEqual(counted["05_name_small"][0] | {"kernel": "rows"}, self.emulator["05_name_small"][0])
        self.micro("stride_7")["shared_load_wavefronts"] = 1001
        self.write()
        self.assertEqual((len(self.compare()[0]), self.status), (1, 1))

    def test_bad_input_is_one_line_and_status_2(self):
        program = "build/chapters/05_name"
        recorded = "docs/results/nvidia-h200/counters/launches"
        spoils = {
            "is no program": lambda: (self.root / program).chmod(0o644),
            "ended with 7: broken": lambda: self.file(program, "#!/bin/sh\necho broken >&2\nexit 7\n"),
            "wrote no report": lambda: self.file(program, "#!/bin/sh\n"),
            "recorded for 05_name --rows 4": lambda: self.file(
                f"{recorded}/05_name_small.json", {"program": "05_name", "options": ["--rows", "4"], "kernels": []}),
            "No such file": lambda: (self.root / recorded / "05_name_small.json").unlink(),
            "runs.txt has no such run": lambda: self.file(f"{recorded}/06_other.json", "{}"),
            "no JSON": lambda: self.file(f"{recorded}/05_name_small.json", "{"),
            "want name, reason and kernels": lambda: self.file(
                "docs/results/nvidia-h200/counter_exceptions.json", [{"name": "x", "kernels": {}}]),
            "no such counters: loads": lambda: self.file(
                "docs/results/nvidia-h200/counter_exceptions.json",
                [{"name": "x", "reason": "y", "kernels": {"micro_kernels": {"stride_7": ["loads"]}}}]),
        }  # fmt: skip
        for message, spoil in spoils.items():
            with self.subTest(message):
                self.accept()
                for file in (self.root / recorded).glob("06*"):
                    file.unlink()
                spoil()
                errors, summary = self.compare()
                self.assertEqual((len(errors), summary, self.status), (1, "", 2), errors)
                self.assertIn(message, errors[0])

    def test_wrong_arguments(self):
        for arguments in ([], ["a", "b"], ["--other", "a"], ["--write"], ["--help"]):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(compare_counters.main(arguments, self.root), 2)
                self.assertEqual(len(errors.getvalue().splitlines()), 1)


class Tables(Repository):
    def block(self):
        self.accept()
        return counter_tables.block("nvidia-h200", self.root).splitlines()

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
        self.except_("rows<4, true>", "global_store_requests", run="05_*", name="third")
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
        lines = self.block()
        self.assertIn("<details><summary>All 41 launches, counter by counter</summary>", lines)
        self.assertIn("| `stride_3` | 4×1×1, 128×1×1 | 8 / 0 |  |  |  |  | equal |", lines)
        three = "1,000 / 1,000 / 1,000"
        self.assertIn("| `stride_7` | 4×1×1, 128×1×1 | 1,000 / 1,000 | 1,000 / 1,000 | 1,000 / 1,001 → 1,000 / 1,000 "
                      f"| {three} | {three} | within 2 % |", lines)  # fmt: skip
        self.assertEqual(sum(line.endswith("| equal |") for line in lines), 40)
        self.assertEqual(lines[-1], "</details>")

    def test_no_table_of_what_nobody_explained(self):
        self.micro("stride_7")["global_load_sectors"] = 4000
        with self.assertRaisesRegex(SystemExit, "1 errors; the first: .*stride_7"):
            self.block()

    def test_no_table_without_the_counts(self):
        self.write()
        with self.assertRaisesRegex(SystemExit, "counters.json: No such file"):
            counter_tables.block("nvidia-h200", self.root)

    def test_page_tables_knows_the_block(self):
        page = "text\n<!-- counters: nvidia-h200 -->\nold\n<!-- end of counters -->\n"
        [(_, kind, names, _)] = page_tables.BLOCK.findall(page)
        self.assertEqual((kind, names), ("counters", "nvidia-h200"))
        self.assertEqual(len(page_tables.FIRST_LINE.findall(page)), 1)
        self.assertIn("| `load_stride_2` | 4×1×1, 128×1×1 | 16 / 128 |", page_tables.block(kind, names.split()))


if __name__ == "__main__":
    unittest.main()
