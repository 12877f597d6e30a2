#!/usr/bin/env python3
"""Tests of what writes the repository's address into the pages."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import address  # noqa: E402

THERE = "https://github.com/someone/steps"
PAGE = """Open [a codespace](nowhere.md)<!-- address: codespace -->.

```sh
git clone ADDRESS course && cd course
```
"""


class Address(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        self.page = self.root / "docs/page.md"
        self.page.write_text(PAGE, encoding="utf-8")
        self.citation = self.root / "CITATION.cff"
        self.citation.write_text('title: Steps\nversion: "1.0"\nlicense: MIT\n', encoding="utf-8")
        for name, value in (("ROOT", self.root), ("CITATION", self.citation)):
            patch = mock.patch.object(address, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def run_tool(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.status = address.main(list(arguments))
        return out.getvalue()

    def test_set_and_taken_back(self):
        self.run_tool(THERE + ".git")
        text = self.page.read_text(encoding="utf-8")
        self.assertIn(f"git clone {THERE} course && cd course\n", text)
        self.assertIn("[a codespace](https://codespaces.new/someone/steps)<!--", text)
        self.assertIn(f'version: "1.0"\nrepository-code: "{THERE}"\nlicense', self.citation.read_text(encoding="utf-8"))
        self.run_tool("--check")
        self.assertEqual(self.status, 0)
        self.run_tool("--none")
        text = self.page.read_text(encoding="utf-8")
        self.assertIn("git clone ADDRESS course && cd course     # ADDRESS: that of this repository\n", text)
        self.assertIn("(getting-started.md#in-a-browser)", text)
        self.assertNotIn("repository-code", self.citation.read_text(encoding="utf-8"))

    def test_another_address_is_found(self):
        self.run_tool(THERE)
        whole = self.page.read_text(encoding="utf-8")
        for wrong, said in (
            (whole.replace(f"clone {THERE}", "clone https://github.com/else/steps"), "not up to date"),
            (whole + "See https://github.com/else/steps.\n", "https://github.com/else/steps: want"),
            (whole + "`git clone ADDRESS course`\n", "git clone ADDRESS: want"),
        ):
            self.page.write_text(wrong, encoding="utf-8")
            self.assertIn(f"docs/page.md: {said}", self.run_tool("--check"))
            self.assertEqual(self.status, 1)
            self.assertEqual(self.page.read_text(encoding="utf-8"), wrong)

    def test_elsewhere_than_on_github_links_lead_to_pages(self):
        self.run_tool("https://git.example.org/lab/steps")
        self.assertIn("(getting-started.md#in-a-browser)", self.page.read_text(encoding="utf-8"))

    def test_where_the_site_is(self):
        for here, url, there in (
            (THERE, "", "https://someone.github.io/steps/"),
            ("https://github.com/Someone/someone.github.io", "", "https://someone.github.io/"),
            ("https://gitlab.com/lab/steps", "", "https://lab.gitlab.io/steps/"),
            ("https://git.example.org/lab/steps", "", ""),
            (THERE, "https://steps.example", "https://steps.example/"),
            ("", "", ""),
        ):
            self.assertEqual(address.site(here, url), there)

    def test_bad_input(self):
        for arguments in (["steps"], ["--check", THERE], ["http://github.com/a/b"], ["https://github.com"]):
            with self.assertRaisesRegex(SystemExit, "^address: want"):
                self.run_tool(*arguments)
        self.page.write_text("[a](b.md)<!-- address: nothing -->", encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "no link is called 'nothing'"):
            self.run_tool()
        self.citation.write_text("repository-code: steps\n", encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "is no address: steps"):
            self.run_tool("--check")


if __name__ == "__main__":
    unittest.main()
