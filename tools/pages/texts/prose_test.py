#!/usr/bin/env python3
"""Tests of what prose.py finds: prose_test.py"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401  (makes the rooms known)
import prose  # noqa: E402

OLD = {
    "a sentence without a subject": "It is late. Who copies needs few registers.",
    "'too' at the end": "m may be 0, too.",
    "'for ever'": "They wait for ever.",
    "'anew'": "The ring begins anew.",
    "'at hand'": "It is at hand.",
    "'so many'": "It takes so many wavefronts.",
    "'another one'": "The limit is another one here.",
    "'is none'": "There is none for doubles.",
    "'inside of'": "a matrix inside of a matrix",
    "'outside of'": "What is outside of the matrix is 0.",
    "'sees to it'": "The fence sees to it.",
    "'that is since'": "Probably that is since it asks.",
    "'lie'": "The columns lie 6 apart.",
    "'one would'": "What one would predict.",
    "'that which'": "that which was read",
    "'behind' for 'after'": "The row begins 8 bytes behind the array.",
    "'stand' for 'be'": "The text may stand here.",
    "'stands in' for 'is in'": "The name stands in the table.",
    "'a line a kernel'": "It prints a line a kernel.",
    "'is no' for 'is not a'": "The size is no multiple of four.",
    "'is told'": "The error is told by the next call.",
    "'other ones than'": "The sizes are other ones than on a GPU.",
    "'kin'": "`cudaMalloc()` and its kin.",
    "'worth to'": "That is worth to remember.",
    "'taken care that'": "It is taken care that no lane is left out.",
    "'beside' for 'outside' or 'compared with'": "That is nothing beside the copy.",
}
LONG = "# A title\n\n" + "word " * 2600 + "\n\n" + "| a |\n|---|\n| 1 |\n\n" * 6 + "```\n" + "code " * 4000 + "\n```\n"


class Prose(unittest.TestCase):
    def test_words_that_are_replaced(self):
        self.assertEqual(set(OLD), set(prose.REPLACED))
        for name, text in OLD.items():
            self.assertEqual([line.split(": ")[1].split(" (")[0] for line in prose.old_words("p", text)], [name], text)

    def test_sentences_that_may_stay(self):
        for text in ("Who waits for whom?", "It is too large.", "Some are, too many of them.", "`anew`", "It lies ahead.",
                     "It is a few per cent behind the library.", "The corners stand for no element.", "It stands for a row.",
                     "A row a lane reads is loaded once.", "It is no longer there.", "There is no kernel."):
            self.assertEqual(list(prose.old_words("p", text)), [], text)

    def test_what_is_counted(self):
        page = "One two.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun it\n```\n\n<details>\n<summary>Answer</summary>\n\nNo.\n\n</details>\n"
        counts = prose.lengths(page)
        self.assertEqual((counts["words of prose"], counts["tables"]), (2, 1))
        self.assertEqual(list(prose.too_long("chapters/a/README.md", page)), [])

    def test_a_page_that_is_too_long(self):
        said = "\n".join(prose.too_long("chapters/a/README.md", LONG))
        for limit in ("at most 2,500", "at most 5", "at most 6,000"):
            self.assertIn(limit, said)

    def test_figures(self):
        self.assertEqual(list(prose.problems("p", "It takes 1500 loads.")), ["p: 1500: write 1,500"])
        self.assertIn("no table of the page has it", "".join(prose.problems("p", "It takes 3.5 ms.")))
        self.assertEqual(list(prose.problems("p", "<!-- held: 3.5 ms; from: x -->\nIt takes 3.5 ms.")), [])


if __name__ == "__main__":
    unittest.main()
