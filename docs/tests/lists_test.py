#!/usr/bin/env python3
"""Lists in pages that a person keeps name everything there is, and nothing else: lists_test.py

A list that a tool writes is not looked at here: tools/pages has its own checks.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(ROOT / "tools" / "pages"))
import places  # noqa: E402, F401 (says where the rooms are)
import importlib.util  # noqa: E402
import tables  # noqa: E402

def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def pages_tool():
    """The module tools/pages/__main__.py under another name."""
    spec = importlib.util.spec_from_file_location("pages_tool", ROOT / "tools/pages/__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Lists(unittest.TestCase):
    def assert_lists(self, listed, there):
        self.assertGreater(len(there), 1)
        self.assertEqual(sorted(listed), sorted(there))

    def test_chapters_in_the_readme(self):
        rows = re.findall(r"^\| (\d\d) \| \[([^\]]+)\]\(chapters/(\w+)/README\.md\) \| (?:how|what|when|which|why) ",
                          text_of("README.md"), re.M)  # fmt: skip
        for number, name, folder in rows:
            self.assertTrue(text_of(f"chapters/{folder}/README.md").startswith(f"# {number} {name}"), folder)
        self.assert_lists([folder for *_, folder in rows],
                          [path.parent.name for path in ROOT.glob("chapters/*/README.md")])  # fmt: skip

    def test_the_readme_is_short(self):
        text = re.sub(r"<!--.*?-->|<[a-z/][^>]*>|\]\([^)]*\)|\|", " ", text_of("README.md"), flags=re.S)
        self.assertLessEqual(len(text.split()), 1200)

    def test_one_version(self):
        versions = {path: re.search(pattern, text_of(path), re.M)[1] for path, pattern in (
            ("CMakeLists.txt", r"^project\(\w+ VERSION ([\d.]+)"), ("emulator/CMakeLists.txt", r"^project\(\w+ VERSION ([\d.]+)"),
            ("CITATION.cff", r'^version: "([\d.]+)"'), ("CHANGELOG.md", r"^## ([\d.]+)"),
            ("docs/emucc.md", r"emucc_([\d.]+)_"))}  # fmt: skip
        self.assertEqual(len(set(versions.values())), 1, versions)
        date = re.search(r'^date-released: "([\d-]+)"', text_of("CITATION.cff"), re.M)[1]
        self.assertIn(f"\n## {versions['CITATION.cff']} ({date})\n", text_of("CHANGELOG.md"))

    def test_guides_that_the_readme_and_the_guides_name(self):
        texts = {path: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]}
        for page in ROOT.glob("docs/*.md"):
            named = [path for path, text in texts.items() if path != page and re.search(rf"[(/]{page.name}[)#]", text)]
            self.assertTrue(named, f"no page leads to {page.name}")

    def test_kinds_of_findings(self):
        page = text_of("docs/finding-bugs.md").partition("\n## The kinds\n")[2].partition("\n## ")[0]
        header = text_of("emulator/include/emulator/findings.h").partition("std::string kind;")[0].rpartition("Severity")[2]
        listed = [kind for line in re.findall(r"^\*\*[a-z-]+\*\*.*", page, re.M) for kind in re.findall(r"\*\*([a-z-]+)\*\*", line)]
        self.assert_lists(listed, re.findall(r"`([a-z-]+)`", header))

    def test_scripts_and_styles_of_the_site(self):
        table = text_of("docs/site/README.md").split("| file in `theme/` |")[1].split("\n\n")[0]
        there = [path.name for path in (ROOT / "docs/site/theme").glob("*.js")]
        self.assert_lists(re.findall(r"`(\w+\.js)`", table), there)

    def test_commands_of_the_pages_tool(self):
        tool = pages_tool()
        self.assert_lists(re.findall(r"^    ([\w-]+)  +\w", tool.__doc__, re.M), tool.MODULES)

    def test_kinds_of_tables(self):
        for page, mark in (("docs/results/README.md", "    <!-- "), ("tools/pages/tables/tables.py", "    <!-- ")):
            there = set(tables.KINDS.split("|"))
            listed = {kind for kind in re.findall(rf"^{mark}([a-z]+): ", text_of(page), re.M) if kind in there}
            self.assert_lists(listed, there)

    def test_scripts_of_the_jobs(self):
        there = [path.name for kind in ("sh", "slurm", "pbs") for path in (ROOT / "jobs").glob(f"*.{kind}")
                 if not path.stem.endswith("_test") and path.name != "stand_in_machine.sh"]  # fmt: skip
        self.assert_lists(set(re.findall(r"\[(\w+\.(?:sh|slurm|pbs))\]\(", text_of("jobs/README.md"))), there)


if __name__ == "__main__":
    unittest.main()
