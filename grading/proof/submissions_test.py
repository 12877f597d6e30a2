#!/usr/bin/env python3
"""Tests of what the proof of the grader is made of: what is expected is read right, and what differs is seen."""

import random
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import make_class
import prove_class
import submissions

MARK = {
    "state": "graded", "reason": "", "details": [], "points": 7,
    "criteria": {"correct": {"points": 5, "of": 5}, "safe": {"points": 2, "of": 2},
                 "efficient": {"points": 0, "of": 3}},
}


def faults(text, **changes):
    return submissions.read_expected(text).faults({**MARK, **changes})


class ExpectedTest(unittest.TestCase):
    def test_points_by_criterion(self):
        self.assertEqual(faults("correct 5, safe 2, efficient 0"), [])
        self.assertEqual(len(faults("correct 5, safe 2, efficient 3")), 1)
        self.assertEqual(len(faults("correct 5")), 1)
        self.assertEqual(len(faults("full marks")), 1)
        self.assertEqual(len(faults("0 points")), 2)

    def test_points_that_do_not_add_up(self):
        self.assertEqual(len(faults("correct 5, safe 2, efficient 0", points=10)), 1)

    def test_states(self):
        self.assertEqual(len(faults("refused: fork")), 1)
        none = {name: {"points": 0, "of": 1} for name in MARK["criteria"]}
        refused = {"state": "refused", "reason": "uses fork(), which no solution needs", "points": 0, "criteria": none}
        self.assertEqual(faults("refused: fork", **refused), [])
        self.assertEqual(len(faults("refused: kill", **refused)), 1)
        self.assertEqual(len(faults("0 points", **refused)), 1)
        self.assertEqual(len(faults("refused: fork", **{**refused, "criteria": MARK["criteria"], "points": 7})), 2)

    def test_what_is_nothing_to_expect(self):
        for text in ("", "correct", "3 points", "correct 5; safe 2"):
            with self.assertRaises(ValueError):
                submissions.read_expected(text)


class SizesTest(unittest.TestCase):
    # Numbers are asked for, or places in a fragment; or it is not graded.
    WITHOUT_SIZES = ("02c", "11c", "18a", "18b", "21a")

    def test_every_exercise_has_a_size_that_nobody_knows(self):
        checks = {path.parent.name[:3]: path.read_text(encoding="utf-8")
                  for path in (submissions.SOURCE / "exercises").glob("*/check.cpp")}
        draws = re.compile(r"exercise::drawn\(|awkward_(sizes|shapes)")
        self.assertGreater(len(checks), 50)
        self.assertEqual(sorted(id for id, text in checks.items() if not draws.search(text)),
                         sorted(self.WITHOUT_SIZES))

    # Its lengths are powers of two, so that sums are exact; or it is not graded.
    COUNTED_AT_ONE_SIZE = ("16c", "18a")

    @staticmethod
    def drawn_names(text):
        """What is declared for all of a file and depends on a number that is drawn."""
        declared = re.findall(r"^(?:const|constexpr|inline|[A-Z])[\w:<>,&* ]*?\b(\w+)(?:\(\))?(?: =|\{| \{)([^;]*;)",
                              text, re.MULTILINE)
        names = {"drawn"}
        while more := {name for name, value in declared if names & set(re.findall(r"\w+", value))} - names:
            names |= more
        return names

    def test_what_is_counted_is_counted_at_such_a_size(self):
        found = set()
        for path in (submissions.SOURCE / "exercises").glob("*/check.cpp"):
            text = path.read_text(encoding="utf-8")
            names = self.drawn_names(text)
            for case in re.findall(r'^TEST_CASE\("efficient: .*?^\}', text, re.MULTILINE | re.DOTALL):
                if not names & set(re.findall(r"\w+", case)):
                    found.add(path.parent.name[:3])
        self.assertEqual(sorted(found), sorted(self.COUNTED_AT_ONE_SIZE))

    def test_names_that_depend_on_a_drawn_number(self):
        text = "const int a = exercise::drawn(1, 2, 3);\nconst Shape b{64, a};\nconstexpr int c = 4;\n" \
               "Problem d() {\n  return Problem(2 * a);\n}\n"
        self.assertEqual(self.drawn_names(text), {"drawn", "a", "b", "d"})


class CheatTest(unittest.TestCase):
    def test_every_cheat_says_what_it_is(self):
        known = submissions.cheats()
        self.assertGreater(len(known), 100)
        self.assertEqual(known["loops_on_the_host"].time_limit, 2)
        self.assertEqual(known["includes_a_system_file"].never_shown, "root:")

    def test_a_cheat_without_a_head(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "one.cu"
            path.write_text("// Something else.\n")
            with self.assertRaises(ValueError):
                submissions.Cheat(path)
            path.write_text("// A cheat for 01a: something.\n\n// expected: 0 points\n")
            with self.assertRaises(ValueError):
                submissions.Cheat(path)


class TextTest(unittest.TestCase):
    MODEL = "//@stub\n//@ // As handed out.\n//@solution\n// The model.\n//@end\nvoid f() {\n  //@stub\n" \
            "  //@ // TODO ({lines} lines): all.\n  //@solution\n  // Why.\n  g();\n  h();\n  //@end\n}\n"

    def test_solution_and_stub(self):
        self.assertEqual(submissions.without_regions(self.MODEL, "solution"),
                         "// The model.\nvoid f() {\n  // Why.\n  g();\n  h();\n}\n")
        self.assertEqual(submissions.without_regions(self.MODEL, "stub"),
                         "// As handed out.\nvoid f() {\n  // TODO (2 lines): all.\n}\n")

    def test_wrong_solutions_are_made_from_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            exercise = {"solution": folder, "file": "one.cu"}
            (Path(folder) / "one.cu").write_text(self.MODEL)
            (Path(folder) / "wrong").mkdir()
            patch = Path(folder) / "wrong" / "two.patch"
            patch.write_text("caught by: correct: one\nNot h.\n\n@@ -5,2 +5 @@\n   g();\n-  h();\n }\n")
            self.assertEqual(submissions.wrong_solutions(exercise), [patch])
            with self.assertRaises(subprocess.CalledProcessError):
                submissions.wrong_text(exercise, patch)
            patch.write_text(patch.read_text().replace("-5,2 +5", "-4,3 +4,2"))
            self.assertEqual(submissions.wrong_text(exercise, patch),
                             "// The model.\nvoid f() {\n  // Why.\n  g();\n}\n")

    def test_rewritten_texts_differ(self):
        chance = random.Random(1)
        text = "int sum = 0;  // The sum.\n  sum += residual;\n" * 5
        self.assertEqual(len({make_class.rewritten(text, chance) for _ in range(20)}), 20)

    def test_spread(self):
        self.assertEqual(make_class.spread(list(range(10)), 3), [0, 3, 6])
        self.assertEqual(make_class.spread([1, 2], 5), [1, 2])


class ClassTest(unittest.TestCase):
    def test_differences(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            (out / "marks").mkdir()
            rows = [{"student": name, "what": "model", "state": "graded", "correct": 5, "safe": 2, "efficient": points}
                    for name, points in (("Anna", 0), ("Ben", 3), ("Chiara", 0))]
            for name in ("Anna", "Ben", "Nobody"):
                text = {"submission": name, "seed": 1, "exercises": [MARK]}
                (out / "marks" / f"{name}.json").write_text(prove_class.json.dumps(text))
            found = "\n".join(prove_class.differences(rows, out))
            self.assertNotIn("Anna", found)
            for name in ("Ben", "Chiara", "Nobody"):
                self.assertIn(name, found)


if __name__ == "__main__":
    unittest.main()
