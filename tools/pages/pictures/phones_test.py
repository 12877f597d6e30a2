#!/usr/bin/env python3
"""Tests of phones.py: every picture of the pages has one for phones, and its text can be read there."""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import phones  # noqa: E402
from places import ROOT  # noqa: E402

PHONE, LEAST_TEXT = 326, 9  # pixels: what a frame leaves of 390, and what can be read
FOLDERS = ("docs/accesses", "docs/figures", "docs/pictures", "docs/timelines", "emulator/tools/picture")
HAS_MATPLOTLIB = phones.importlib.util.find_spec("matplotlib") is not None or phones.has_matplotlib(phones.SYSTEM)


def least_text(svg):
    """The smallest text of a picture, in pixels, where it is made as wide as a phone."""
    unit = 4 / 3 if re.search(r'width="[\d.]+pt"', svg) else 1  # pixels
    wide = unit * float(re.search(r'viewBox="\S+ \S+ (\S+)', svg)[1])
    sizes = [unit * float(size) for size in re.findall(r"font(?:-size)?:[^;}]*?([\d.]+)px", svg)]
    return min(sizes, default=99.0) * min(1, PHONE / wide)


class Phones(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as cls.out:
            cls.status = phones.main([name])
            folder = pathlib.Path(name)
            cls.texts = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
                         for path in folder.rglob("*.svg")}  # fmt: skip

    def test_every_picture_has_one(self):
        self.assertEqual(self.status, 0)
        wanted = {path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.svg")}
        wanted.add("docs/cover/cover.svg")  # README.md shows its narrow one as well, which is kept for that
        left_out = set() if HAS_MATPLOTLIB else {name for name in wanted if name.startswith("docs/figures/")}
        self.assertEqual(self.texts.keys(), wanted - left_out)
        self.assertEqual("python3-matplotlib" in self.out.getvalue(), bool(left_out))

    def test_its_text_can_be_read_and_that_of_the_wide_one_could_not(self):
        for name, text in self.texts.items():
            self.assertGreaterEqual(least_text(text), LEAST_TEXT, name)
        self.assertLess(least_text((ROOT / "docs/pictures/00_09/strips.svg").read_text(encoding="utf-8")), LEAST_TEXT)

    def test_it_says_the_same(self):
        for name, text in self.texts.items():
            wide = (ROOT / name).read_text(encoding="utf-8")
            self.assertEqual(*(re.search("<title>.*</title>", svg)[0] for svg in (text, wide)), name)
            self.assertNotEqual(text, wide)


if __name__ == "__main__":
    unittest.main()
