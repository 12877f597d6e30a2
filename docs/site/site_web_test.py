#!/usr/bin/env python3
"""Tests of the first page's parts, and of what only a published site has."""

import pathlib
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import site_home  # noqa: E402
import site_html  # noqa: E402
import site_markdown  # noqa: E402
import site_pages  # noqa: E402
import site_pdf  # noqa: E402
import site_web  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
THERE = 'repository-code: "https://github.com/someone/steps"\n'
SITE = "https://someone.github.io/steps/"


class Home(unittest.TestCase):
    def test_what_the_readme_begins_with(self):
        words, course, claims = site_home.introduction(ROOT)
        self.assertIn("sectors", words)
        self.assertTrue(course.startswith("A course in CUDA C++"))
        self.assertGreaterEqual(len(claims), 3)
        self.assertTrue(all(claim.startswith("**") for claim in claims))

    def test_parts_and_chapters(self):
        rows = site_pages.chapter_lines(ROOT)
        chapters, parts = ([row for row in rows if bool(row[0]) == kind] for kind in (True, False))
        self.assertEqual(len(chapters), len(list(ROOT.glob("chapters/*/README.md"))))
        self.assertGreater(len(parts), 3)
        self.assertFalse(rows[0][0], "a part comes first")
        for number, _, path, text, time in chapters:
            self.assertTrue(path.startswith(f"chapters/{number}_") and text)
            self.assertRegex(time, r"^\d+(\.5)? h$")

    def test_a_part_that_is_missing_is_a_problem(self):
        self.assertIn("./course tour", site_home.readme_part(ROOT, "Three ways to begin"))
        with self.assertRaisesRegex(site_markdown.Problem, "no section 'Four ways'"):
            site_home.readme_part(ROOT, "Four ways")


class Web(unittest.TestCase):
    def frame(self, web):
        text = (ROOT / "docs/site/theme/page.html").read_text(encoding="utf-8")
        return site_html.Frame(text, [], [], web)

    def test_without_an_address_nothing_names_one(self):
        web = site_web.Web("title: Steps\n", picture=True)
        page = self.frame(web)(url="a.html", title="A", content="", kind="guides", text="docs/a.md")
        self.assertIn('<meta property="og:title" content="A · CUDA, step by step">', page)
        for absent in ("og:url", "og:image", "canonical", "Edit this page", "The repository", "http"):
            self.assertNotIn(absent, page.replace("http://www.w3.org", ""))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(web.write(pathlib.Path(folder), self.frame(web), None, ROOT), [])
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ["404.html"])

    def test_with_one(self):
        web = site_web.Web(THERE, picture=True)
        page = self.frame(web)(url="a.html", title='A "b"', content="", kind="guides", text="docs/a.md")
        for there in (f'<link rel="canonical" href="{SITE}a.html">', f'"og:image" content="{SITE}images/link.png"',
                      f'"og:url" content="{SITE}a.html"', 'content="A &quot;b&quot; · CUDA, step by step"',
                      'href="https://github.com/someone/steps/edit/main/docs/a.md"', 'aria-label="The repository"',
                      '<meta name="twitter:card" content="summary_large_image">'):  # fmt: skip
            self.assertIn(there, page)
        self.assertIn(f'"og:url" content="{SITE}"', web.head("index.html", "A", "B", "home"))
        self.assertNotIn("og:image", site_web.Web(THERE).head("a.html", "A", "B", "guides"))
        self.assertIn("/-/edit/main/a.md", site_web.Web('repository-code: "https://gitlab.com/lab/steps"').edit_link("a.md"))

    def test_the_list_of_pages_and_the_page_for_wrong_addresses(self):
        web = site_web.Web(THERE)
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            for page in ("index.html", "a.html", "source/a b/index.html"):
                (out / page).parent.mkdir(parents=True, exist_ok=True)
                (out / page).write_text("", encoding="utf-8")
            self.assertEqual(web.write(out, self.frame(web), None, ROOT), [])
            found = [one.text for one in xml.etree.ElementTree.parse(out / "sitemap.xml").getroot().iter()
                     if one.tag.endswith("loc")]  # fmt: skip
            self.assertEqual(found, [f"{SITE}a.html", SITE, f"{SITE}source/a%20b/"])
            lost = (out / "404.html").read_text(encoding="utf-8")
        self.assertIn('<base href="/steps/">', lost)
        self.assertIn('content="noindex"', lost)
        self.assertIn('href="404.html#content"', lost)
        self.assertNotIn("canonical", lost)

    @unittest.skipUnless(site_pdf.find_browser(), "no Chromium here")
    def test_the_picture_for_links(self):
        with tempfile.TemporaryDirectory() as name:
            target = pathlib.Path(name) / "link.png"
            self.assertEqual(site_web.draw_picture(ROOT, target, site_pdf.find_browser()), [])
            data = target.read_bytes()
            self.assertEqual(struct.unpack(">II", data[16:24]), site_web.SIZE)
            self.assertEqual(len(site_web.draw_picture(ROOT / "docs", target, site_pdf.find_browser())), 1)


if __name__ == "__main__":
    unittest.main()
