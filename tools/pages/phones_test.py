#!/usr/bin/env python3
"""Tests of phones.py with a page of its own."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
import phones  # noqa: E402

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><title>T</title><desc>{}</desc></svg>'
ELEMENT = """<picture>
<source media="(max-width: 599px)" srcset="{0}-narrow.svg">
<img src="{0}.svg" alt="{1}">
</picture>"""


class Phones(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "README.md"
        for name in ("pictures/p", "pictures/p-narrow", "pictures/wide", "figures/f", "figures/f-narrow"):
            path = self.page.parent / f"{name}.svg"
            path.parent.mkdir(exist_ok=True)
            path.write_text(SVG.format("Two bars: 3 &lt; 5."), encoding="utf-8")

    def updated(self, text):
        fresh = phones.updated(self.page, text)
        self.assertEqual(phones.updated(self.page, fresh), fresh)  # what is up to date stays
        return fresh

    def test_a_picture_gets_the_one_for_phones_and_keeps_its_words(self):
        text = "Before.\n\n![Words, \"two\"\nlines](pictures/p.svg)\n\nBehind.\n"
        self.assertEqual(self.updated(text),
                         f"Before.\n\n{ELEMENT.format('pictures/p', 'Words, &quot;two&quot; lines')}\n\nBehind.\n")

    def test_a_picture_without_one_stays(self):
        text = "![Words,\nmore](pictures/wide.svg)\n\nAn ![in](pictures/p.svg) the text.\n"
        self.assertEqual(self.updated(text), text)
        (self.page.parent / "pictures/p-narrow.svg").unlink()
        self.assertEqual(self.updated(ELEMENT.format("pictures/p", "A &amp; b")), "![A & b](pictures/p.svg)")

    def test_the_words_of_a_plot_are_its_own(self):
        wanted = ELEMENT.format("figures/f", "T. Two bars: 3 &lt; 5.")
        self.assertEqual(self.updated("![old](figures/f.svg)"), wanted)
        self.assertEqual(self.updated(wanted.replace("3", "4")), wanted)


if __name__ == "__main__":
    unittest.main()
