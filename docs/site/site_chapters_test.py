#!/usr/bin/env python3
"""Tests of what every page of a chapter has."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import site_chapters  # noqa: E402
import site_pages  # noqa: E402


class Chapters(unittest.TestCase):
    PAGE = """# 01 A
You will learn it.
## The idea
![a picture](p.svg)
## The kernels, two of them
<!-- kernel: a.cu a -->
## What the emulator shows
<!-- results: emulator/01_a -->
## What GPUs show, and why
![a plot](../../docs/figures/01_a-nvidia-h200.svg)
## Try it
<!-- question: 01-try-1 -->
**1.** This.
## In short
- One.
- Two,
  and more of it.
- Three.
- Four.
- Five.
## Exercises
- [01a](../../exercises/01a/README.md)
## Traps
- That.
## Further reading
- [A book](https://example.org)
"""

    def found(self, old="", new=""):
        self.assertIn(old, self.PAGE)
        return site_chapters.problems("p", self.PAGE.replace(old, new))

    def test_a_page_in_order(self):
        self.assertEqual(self.found(), [])

    def test_what_is_missing(self):
        for old, said in (("You will learn it.", "what you will learn"), ("![a picture](p.svg)", "not a picture"),
                          ("<!-- kernel: a.cu a -->", "not a kernel"), ("emulator/01_a", "emulator's counts"),
                          ("## Traps\n", "no section 'Traps'"), ("docs/figures/", "plot of results"),
                          ("- Four.\n", "not five lines"),
                          ("https://example.org", "not a reference with a link")):
            found = self.found(old)
            self.assertEqual(len(found), 1, found)
            self.assertIn(said, found[0])

    def test_the_wrong_order(self):
        traps = "## Traps\n- That.\n"
        moved = self.PAGE.replace(traps, "").replace("## Try it\n", traps + "## Try it\n")
        self.assertEqual(site_chapters.problems("p", moved), ["p: the section 'Traps' stands too early"])

    def test_where_a_page_stands(self):
        pages = [site_pages.Page(pathlib.PurePosixPath(path), name, group, short=name) for path, name, group in
                 (("chapters/01_a/README.md", "chapter-01-a", "chapters"),
                  ("chapters/01_a/more.md", "chapter-01-a-more", "more"),
                  ("exercises/01a_b/README.md", "exercise-01a-b", "exercises"))]  # fmt: skip
        chapter = ("chapter-01-a.html", "Chapter chapter-01-a")
        self.assertEqual(site_chapters.steps_to(pages, pages[1]), [chapter])
        self.assertEqual(site_chapters.steps_to(pages, pages[2]), [("exercises.html", "Exercises"), chapter])
        self.assertEqual(site_chapters.steps_to(pages, pages[0]), [])


if __name__ == "__main__":
    unittest.main()
