#!/usr/bin/env python3
"""Tests of words.py with a page of its own."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import words  # noqa: E402

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><title>T</title><desc>Two bars: 3 &lt; 5.</desc></svg>'


class Words(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "README.md"
        for name in ("pictures/p", "figures/f"):
            path = self.page.parent / f"{name}.svg"
            path.parent.mkdir()
            path.write_text(SVG, encoding="utf-8")

    def updated(self, text):
        fresh = words.updated(self.page, text)
        self.assertEqual(words.updated(self.page, fresh), fresh)  # what is up to date stays
        return fresh

    def test_a_picture_keeps_the_words_of_the_page(self):
        text = ('Before.\n\n![Words, "two"\nlines](pictures/p.svg)\n\n'
                'An ![in](figures/f.svg) the text, ![no](figures/g.svg).\n')
        self.assertEqual(self.updated(text), text)

    def test_the_words_of_a_plot_are_its_own(self):
        wanted = "![T. Two bars: 3 < 5.](figures/f.svg)"
        self.assertEqual(self.updated("![old](figures/f.svg)"), wanted)
        self.assertEqual(self.updated(wanted.replace("3", "4")), wanted)


if __name__ == "__main__":
    unittest.main()
