#!/usr/bin/env python3
"""Tests of the picture that README.md begins with."""

import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import badges  # noqa: E402
import cover  # noqa: E402
import drawn_files  # noqa: E402


class Cover(unittest.TestCase):
    def setUp(self):
        self.pictures = {name: text for name, text in cover.drawn().items() if name.startswith("cover")}

    def test_each_is_a_picture_without_scripts_or_requests(self):
        for name, text in self.pictures.items():
            with self.subTest(name):
                root = xml.etree.ElementTree.fromstring(text)
                self.assertTrue(root.tag.endswith("svg"))
                self.assertNotRegex(text, r"<script|<foreignObject|href=|url\(")

    def test_it_begins_and_ends_complete(self):
        for name, text in self.pictures.items():
            moves = re.findall(r"@keyframes \w+\{(.*)\}$", text, re.MULTILINE)
            self.assertGreater(len(moves), 40, name)
            for frames in moves:
                self.assertRegex(frames, r"^0%,12%\{(opacity:1|transform:none)\}14%,.*%,to\{\1\}$")
                shares = [float(share) for share in re.findall(r"([\d.]+)%", frames)]
                self.assertEqual(shares, sorted(shares))
                self.assertLess(shares[-1], 60)  # the rest of the time it stays

    def test_who_wants_no_motion_gets_none(self):
        for text in self.pictures.values():
            before, _, after = text.partition("@media (prefers-reduced-motion:no-preference){")
            self.assertNotIn("animation", before)
            self.assertIn("animation", after)

    def test_the_picture_for_links_stands_still(self):
        text = cover.for_links()
        self.assertIn('width="1200" height="630"', text)
        self.assertNotIn("animation", text)
        self.assertNotIn("prefers-color-scheme", text)

    def test_figures_are_those_of_the_results(self):
        first, second = (cover.traffic(chapter) for chapter in cover.CHAPTERS)
        text = self.pictures["cover.svg"]
        for number in (first.total, second.total):
            self.assertRegex(text, rf'<tspan class="bold">{number}</tspan>')
        self.assertEqual(len(re.findall(r"\d\.\d\d ms</text>", text)), len(cover.times()))
        for _, ms in cover.times():
            self.assertIn(f">{ms:.2f} ms</text>", text)

    def test_the_readme_shows_them(self):
        text = cover.README.read_text(encoding="utf-8")
        self.assertEqual(cover.shown(text), text)
        for broken in (text.replace("33 sectors", "32 sectors"), text.replace("licence.svg", "license.svg")):
            self.assertEqual(cover.shown(broken), text)
            self.assertNotEqual(broken, text)
        with self.assertRaisesRegex(SystemExit, "no place for badges"):
            cover.shown(text.replace("<!-- badges -->", ""))

    def test_a_badge_of_the_tests_only_where_its_address_is_known(self):
        self.assertNotIn("https:", badges.markdown(""))
        self.assertIn("(https://github.com/a/b/actions/workflows/ci.yml)", badges.markdown("https://github.com/a/b"))

    def test_a_stale_picture_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            drawn_files.write(folder, self.pictures)
            self.assertEqual(list(drawn_files.faults(folder, self.pictures)), [])
            (folder / "cover.svg").write_text(self.pictures["cover.svg"].replace("33", "32"), encoding="utf-8")
            self.assertEqual(list(drawn_files.faults(folder, self.pictures)), ["cover.svg: stale"])


if __name__ == "__main__":
    unittest.main()
