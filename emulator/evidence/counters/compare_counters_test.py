#!/usr/bin/env python3
"""Tests of compare_counters.py, with runs, counters and programs made up."""

import contextlib
import copy
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the sources
import compare_counters  # noqa: E402

# A program: it "counts" what is beside it, if it is started as it should be.
PROGRAM = """#!/bin/sh
[ "$EMULATOR_MULTIPROCESSORS" = 132 ] || exit 3
[ "$*" = "{options}" ] || exit 4
cp "$0.json" "$EMULATOR_REPORT"
"""
SIZES = ["--rows", "3", "--cols", "5"]
KERNELS = [f"stride_{number}" for number in range(40)]


def launch(instance, **counters):
    """As in a report of either side; 1000 of everything, unless it is said otherwise."""
    return {"kernel": instance.split("<")[0], "instance": instance, "grid": [4, 1, 1], "block": [128, 1, 1],
            **{counter: 1000 for counter in compare_counters.COUNTERS}} | counters  # fmt: skip


class Folder(unittest.TestCase):
    """A folder in which all is equal, to be spoiled. Its runs are in two files, its programs in two folders."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.runs = {"matrix_small": ["matrix", *SIZES], "strides": ["strides"]}
        self.gpu = {"matrix_small": [launch("rows<4, 1>")], "strides": [launch(name) for name in KERNELS]}
        self.emulator = copy.deepcopy(self.gpu)
        self.emulator["matrix_small"][0]["instance"] = "rows<4, true>"
        self.exceptions = []
        self.status = None

    def file(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def write(self):
        self.file("gpu/exceptions.json", self.exceptions)
        for run, (program, *options) in self.runs.items():
            self.file(f"{program}.txt", " ".join(["# a comment\n", run, program, *options]))
            self.file(f"gpu/{run}.json", {"program": program, "options": options, "kernels": self.gpu[run]})
            self.file(f"build/{program}/{program}", PROGRAM.format(options=" ".join(options))).chmod(0o755)
            self.file(f"build/{program}/{program}.json", {"kernels": self.emulator[run]})

    def arguments(self, *options):
        programs = [program for program, *_ in self.runs.values()]
        paths = {"--recorded": "gpu", "--exceptions": "gpu/exceptions.json", "--counts": "gpu/counts.json"}
        return [*(word for program in programs for word in ("--runs", str(self.root / f"{program}.txt"))),
                *(word for option, name in paths.items() for word in (option, str(self.root / name))),
                "--multiprocessors", "132", *options,
                *(str(self.root / "build" / program) for program in programs)]  # fmt: skip

    def compare(self, *options):
        """What the comparison prints: errors, and the line that sums it up."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            self.status = compare_counters.main(self.arguments(*options))
        return errors.getvalue().splitlines(), output.getvalue().strip()

    def accept(self):
        """The files as they should be, the emulator's own among them."""
        self.write()
        self.compare("--write")

    def assert_error(self, *parts, options=()):
        """Exactly one error, with these parts, beside that of the emulator's own file."""
        self.accept()
        errors, _ = self.compare(*options)
        self.assertEqual(len(errors), 1, errors)
        for part in parts:
            self.assertIn(part, errors[0])
        self.assertEqual(self.status, 1)

    def stride(self, name, side=None):
        return next(one for one in (side or self.emulator)["strides"] if one["instance"] == name)

    def except_(self, kernel, *counters, run="strides", name="a reason"):
        self.exceptions.append({"name": name, "reason": f"Says why: {name}.", "kernels": {run: {kernel: counters}}})


class Compare(Folder):
    def test_an_enumerator_is_its_number(self):
        self.gpu["matrix_small"][0]["instance"] = "rows<2, 4>"
        self.emulator["matrix_small"][0]["instance"] = "rows<(Kind)2, 4>"
        self.accept()
        self.assertEqual(self.compare()[0], [])
        self.emulator["matrix_small"][0]["instance"] = "rows<(Kind)3, 4>"
        self.accept()
        self.assertNotEqual(self.compare()[0], [])

    def test_spaces_between_closing_brackets_make_no_other_kernel(self):
        self.gpu["matrix_small"][0]["instance"] = "rows<List<4, 1> >"
        self.emulator["matrix_small"][0]["instance"] = "rows<List<4, true>>"
        self.accept()
        self.assertEqual(self.compare()[0], [])

    def test_a_function_among_the_arguments_is_known_by_its_name(self):
        self.gpu["matrix_small"][0]["instance"] = "rows<&sum<4> >"
        for written in ("rows<&(sum<4>(unsigned int))>", "rows<&(unsigned int sum<4>(unsigned int, int))>"):
            self.emulator["matrix_small"][0]["instance"] = written
            self.accept()
            self.assertEqual(self.compare()[0], [])

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
                self.stride("stride_7")[counter] = 1001
                self.assert_error("stride_7", counter, "emulator 1001, GPU 1000")

    def test_shared_counters_may_differ_by_2_percent(self):
        for counter in ("shared_load_instructions", "shared_store_wavefronts", "shared_load_bank_conflicts"):
            for value, wrong in ((1020, False), (980, False), (1021, True), (979, True)):
                with self.subTest(counter, value=value):
                    self.setUp()
                    self.stride("stride_7")[counter] = value
                    if wrong:
                        self.assert_error("stride_7", counter, f"emulator {value}")
                        continue
                    self.accept()
                    errors, summary = self.compare()
                    self.assertEqual(errors, [])
                    self.assertIn("40 equal, 1 within 2 %", summary)

    def test_nothing_on_the_gpu_is_nothing_on_the_emulator(self):
        self.stride("stride_7", self.gpu)["shared_load_bank_conflicts"] = 0
        self.stride("stride_7")["shared_load_bank_conflicts"] = 1
        self.assert_error("stride_7", "shared_load_bank_conflicts")

    def test_a_counter_that_the_gpu_lacks_is_not_compared(self):
        del self.stride("stride_7", self.gpu)["shared_atomic_instructions"]
        self.stride("stride_7")["shared_atomic_instructions"] = 5
        self.accept()
        self.assertEqual(self.compare()[0], [])

    def test_a_kernel_that_the_emulator_did_not_run(self):
        self.emulator["matrix_small"] = []
        self.assert_error("rows<4, 1>", "the emulator did not")

    def test_grid_and_block_tell_launches_apart(self):
        for what in ("grid", "block"):
            with self.subTest(what):
                self.setUp()
                self.emulator["matrix_small"][0][what] = [2, 1, 1]
                self.assert_error("rows<4, 1>", "the emulator did not")

    def test_a_kernel_that_the_gpu_did_not_run(self):
        self.emulator["strides"].append(launch("new_one"))
        self.assert_error("new_one", "older than this kernel", options=["--no-others"])
        self.assertEqual(self.compare()[0], [])

    def test_the_first_of_several_launches_counts(self):
        for place, wrong in ((1, False), (0, True)):
            with self.subTest(place=place):
                self.setUp()
                self.emulator["strides"].insert(place, launch("stride_0", global_load_sectors=1))
                self.write()
                self.compare("--write")
                self.assertEqual(bool(self.compare()[0]), wrong)

    def test_too_few_launches(self):
        self.assert_error("41 launches compared, want 42 at least", options=["--at-least", "42"])
        self.assertEqual(self.compare("--at-least", "41")[0], [])
        self.gpu = {run: [] for run in self.gpu}
        self.assert_error("0 launches compared, want 1 at least")

    def test_an_exception_with_a_difference(self):
        self.stride("stride_7")["global_load_sectors"] = 4000
        self.except_("stride_7", "global_load_sectors")
        self.accept()
        errors, summary = self.compare()
        self.assertEqual((errors, self.status), ([], 0))
        self.assertIn("40 equal, 0 within 2 %, 1 different for a known reason", summary)

    def test_an_exception_is_for_its_counters_only(self):
        self.stride("stride_7").update(global_load_sectors=4000, global_load_requests=500)
        self.except_("stride_7", "global_load_sectors")
        self.assert_error("stride_7", "global_load_requests")

    def test_an_exception_is_for_its_run_only(self):
        self.emulator["matrix_small"][0]["global_load_sectors"] = 4000
        self.except_("rows<4, true>", "global_load_sectors", run="matrix_*")
        self.accept()
        self.assertEqual(self.compare()[0], [])
        self.exceptions = []
        self.except_("rows<4, true>", "global_load_sectors", run="matrix_large")
        self.accept()
        errors, _ = self.compare()
        self.assertEqual(len(errors), 2, errors)
        self.assertIn("no run is called matrix_large", errors[0])
        self.assertIn("emulator 4000, GPU 1000", errors[1])

    def test_an_exception_that_is_not_needed(self):
        self.except_("stride_7", "global_load_sectors")
        self.assert_error("stride_7", "global_load_sectors", "not needed any more")
        self.setUp()
        self.except_("stride_70", "global_load_sectors")
        self.assert_error("stride_70", "not needed any more")

    def test_an_exception_given_twice(self):
        self.stride("stride_7")["global_load_sectors"] = 4000
        self.except_("stride_7", "global_load_sectors")
        self.except_("stride_7", "global_load_sectors", name="another")
        self.assert_error("stride_7", "excepted twice")

    def test_the_emulators_file_is_kept_in_step(self):
        self.write()
        errors, _ = self.compare()
        self.assertEqual(len(errors), 1)
        self.assertIn("counts.json is not what was counted just now", errors[0])
        self.compare("--write")
        self.assertEqual(self.status, 0)
        self.assertEqual(self.compare(), self.compare("--write"))
        counted = compare_counters.read_counts(self.root / "gpu/counts.json")
        self.assertEqual(counted["matrix_small"][0] | {"kernel": "rows"}, self.emulator["matrix_small"][0])
        self.stride("stride_7")["shared_load_wavefronts"] = 1001
        self.write()
        self.assertEqual((len(self.compare()[0]), self.status), (1, 1))

    def test_without_exceptions(self):
        self.accept()
        given = self.arguments()
        place = given.index("--exceptions")
        (self.root / "gpu/exceptions.json").unlink()
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(compare_counters.main(given[:place] + given[place + 2 :]), 0)

    def test_bad_input_is_one_line_and_status_2(self):
        program = "build/matrix/matrix"
        spoils = {
            "there is no program matrix in": lambda: (self.root / program).chmod(0o644),
            "ended with 7: broken": lambda: self.file(program, "#!/bin/sh\necho broken >&2\nexit 7\n"),
            "wrote no report": lambda: self.file(program, "#!/bin/sh\n"),
            "recorded for matrix --rows 4": lambda: self.file(
                "gpu/matrix_small.json", {"program": "matrix", "options": ["--rows", "4"], "kernels": []}),
            "No such file": lambda: (self.root / "gpu/matrix_small.json").unlink(),
            "matrix.txt: No such file": lambda: (self.root / "matrix.txt").unlink(),
            "there is no such run": lambda: self.file("gpu/other.json", "{}"),
            "strides is there twice": lambda: self.file("matrix.txt", "strides strides"),
            "strides has no program": lambda: self.file("strides.txt", "strides"),
            "no JSON": lambda: self.file("gpu/matrix_small.json", "{"),
            "want name, reason and kernels": lambda: self.file("gpu/exceptions.json", [{"name": "x", "kernels": {}}]),
            "no such counters: loads": lambda: self.file(
                "gpu/exceptions.json",
                [{"name": "x", "reason": "y", "kernels": {"strides": {"stride_7": ["loads"]}}}]),
        }  # fmt: skip
        for message, spoil in spoils.items():
            with self.subTest(message):
                self.accept()
                for file in self.root.glob("gpu/other.json"):
                    file.unlink()
                spoil()
                errors, summary = self.compare()
                self.assertEqual((len(errors), summary, self.status), (1, "", 2), errors)
                self.assertIn(message, errors[0])

    def test_wrong_arguments(self):
        right = self.arguments()
        for arguments in ([], right[2:4], right[:-2], ["--other", *right], [*right, "--multiprocessors", "x"]):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(compare_counters.main(arguments), 2)
                self.assertEqual(len(errors.getvalue().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
