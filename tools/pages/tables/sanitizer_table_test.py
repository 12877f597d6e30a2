#!/usr/bin/env python3
"""Tests of sanitizer_table.py."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import sanitizer_table

QUIET = {"errors": 0}
FOLDER = "../emulator/evidence/corpus"


def program(bug, *findings):
    keys = ("severity", "kind", "line")
    return {"bug": bug, "where": [], "findings": [dict(zip(keys, finding)) for finding in findings]}


def runs(**loud):
    return {tool: loud.get(tool, QUIET) for tool in sanitizer_table.TOOLS}


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.about = ["compute-sanitizer 1.2 (build 3) (public-release)", "Some GPU"]

    def block(self, corpus, sanitizers):
        for path, content in (("emulator/corpus.json", {"programs": corpus}),
                              ("gpu/sanitizers.json", {"about": self.about, "programs": sanitizers})):  # fmt: skip
            (self.folder / path).parent.mkdir(exist_ok=True)
            (self.folder / path).write_text(json.dumps(content))
        programs = self.folder / "programs"
        for name in corpus:
            folder, stem = name.split("/")
            (programs / folder / "room").mkdir(parents=True, exist_ok=True)
            (programs / folder / "room" / f"{stem}.cu").touch()
        return sanitizer_table.block("gpu", self.folder, programs).splitlines()

    def programs(self):
        """The table of the programs that block() has written."""
        return sanitizer_table.long_table("gpu", self.folder, self.folder / "programs").splitlines()

    def test_a_line_a_kind(self):
        corpus = {
            "bugs/a": program("race", ("warning", "race", 3)),
            "bugs/b": program("race", ("error", "uninitialised", 3), ("note", "race", 3)),
            "bugs/c": program("out-of-bounds", ("error", "out-of-bounds", 9)),
            "correct/d": program(None),
            "correct/e": program(None, ("note", "uninitialised", 4)),
        }
        sanitizers = {
            "bugs/a": runs(racecheck={"errors": 0, "warnings": 2}, initcheck={"errors": 1}),
            "bugs/b": runs(racecheck={"errors": 7}),
            "bugs/c": runs(),
            "correct/d": runs(memcheck={"errors": 2}),
            "correct/e": runs(),
            "bugs/gone": runs(memcheck={"errors": 2}),
        }
        lines = self.block(corpus, sanitizers)
        self.assertEqual(lines[:8], [
            "| bug | programs | emulator | memcheck | racecheck | initcheck | synccheck | any of the four |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
            "| out-of-bounds | 1 | 1 | 0 | 0 | 0 | 0 | 0 |",
            "| race | 2 | 1 | 0 | 2 | 1 | 0 | 2 |",
            "| **all** | **3** | **2** | **0** | **2** | **1** | **0** | **2** |",
            "| none: false alarms | 2 | 0 | 1 | 0 | 0 | 0 | 1 |",
            "",
            "compute-sanitizer 1.2; Some GPU.",
        ])  # fmt: skip
        self.assertEqual(lines[9:], [
            "<!-- long table: sanitizers gpu -->",
            "All 5 programs: `python3 tools/pages long-table sanitizers gpu` prints the table.",
            "<!-- end of long table -->",
        ])  # fmt: skip
        self.assertEqual(self.programs(), [
            "<details><summary>All 5 programs</summary>",
            "",
            "| program | bug | emulator | compute-sanitizer |",
            "|---|---|---|---|",
            f"| [`bugs/a`]({FOLDER}/bugs/room/a.cu) | race | found | racecheck, initcheck |",
            f"| [`bugs/b`]({FOLDER}/bugs/room/b.cu) | race | **not found** | racecheck |",
            f"| [`bugs/c`]({FOLDER}/bugs/room/c.cu) | out-of-bounds | found | nothing |",
            f"| [`correct/d`]({FOLDER}/correct/room/d.cu) | none | nothing | memcheck |",
            f"| [`correct/e`]({FOLDER}/correct/room/e.cu) | none | nothing | nothing |",
            "",
            "</details>",
        ])  # fmt: skip

    def test_false_alarms_of_the_emulator(self):
        for severity, count in (("error", 1), ("warning", 1), ("note", 0)):
            lines = self.block({"correct/a": program(None, (severity, "race", 1))}, {"correct/a": runs()})
            self.assertEqual(lines[3], f"| none: false alarms | 1 | {count} | 0 | 0 | 0 | 0 | 0 |")
            self.assertIn("| **false alarm** |" if count else "| nothing | nothing |", self.programs()[-3])

    def test_not_run(self):
        corpus = {"bugs/a": program("leak", ("error", "leak", 1)), "bugs/b": program("leak", ("error", "leak", 1))}
        lines = self.block(corpus, {"bugs/b": runs(memcheck={"errors": 1})})
        self.assertEqual(lines[2], "| leak | 2 | 2 | 1 | 0 | 0 | 0 | 1 |")
        self.assertEqual(lines[5], "compute-sanitizer 1.2; Some GPU. 1 of the programs were not run there.")
        self.assertTrue(self.programs()[-4].endswith("| leak | found | not run |"), self.programs()[-4])
        lines = self.block(corpus, {})
        self.assertEqual(lines[2], "| leak | 2 | 2 | – | – | – | – | – |")

    def test_tool_found(self):
        for run, found in (({"errors": 0}, False), ({"errors": 1}, True), ({"errors": None}, False),
                           ({"errors": None, "messages": ["a"]}, True), ({"errors": 0, "messages": ["a"]}, False),
                           ({"errors": 0, "warnings": 1}, True)):  # fmt: skip
            self.assertEqual(sanitizer_table.tool_found(run, "race"), found, run)

    def test_finding(self):
        self.block({"bugs/a": program("race") | {"printed": ["one", "  two", ""]}, "bugs/b": program("race")}, {})
        self.assertEqual(sanitizer_table.finding("bugs/a", self.folder), "```text\none\n  two\n```\n")
        for name in ("bugs/b", "bugs/c"):
            with self.assertRaisesRegex(SystemExit, "tables: corpus.json: "):
                sanitizer_table.finding(name, self.folder)

    def test_refused(self):
        for corpus, sanitizers in (([], {}), ({"bugs/a": {}}, {}), ({"bugs/a": program("rice")}, {}),
                                   ({"bugs/a": program("race")}, {"bugs/a": {"memcheck": QUIET}})):  # fmt: skip
            with self.assertRaisesRegex(SystemExit, "tables: gpu/sanitizers.json, emulator/corpus.json: "):
                self.block(corpus, sanitizers)
        with self.assertRaisesRegex(SystemExit, "tables: corpus.json: "):
            sanitizer_table.block("gpu", pathlib.Path("/nowhere"))

    def command(self, *arguments):
        command = [sys.executable, "-B", places.PAGES, "sanitizers", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_compact(self):
        run = {"exit": 1, "errors": 1, "messages": ["bad"], "lines": [4]}
        quiet = {"exit": 0, "errors": None, "messages": [], "lines": []}
        source, out = self.folder / "in.json", self.folder / "out.json"
        source.write_text(json.dumps({"about": self.about, "programs": {
            "bugs/a": {"bug": "race", "where": [4], "plain": {"exit": 1}} | dict.fromkeys(sanitizer_table.TOOLS, run),
            "correct/b": {"plain": {"exit": 0}} | dict.fromkeys(sanitizer_table.TOOLS, quiet),
        }}))  # fmt: skip
        self.assertEqual(self.command(source, out).returncode, 0)
        self.assertEqual(json.loads(out.read_text()), {"about": self.about, "programs": {
            "bugs/a": {"bug": "race"} | dict.fromkeys(sanitizer_table.TOOLS, {"errors": 1, "messages": ["bad"]}),
            "correct/b": dict.fromkeys(sanitizer_table.TOOLS, {"errors": None}),
        }})  # fmt: skip
        self.assertEqual(len(out.read_text().splitlines()), 7)  # a program a line, and what is around them

    def test_bad_arguments(self):
        for arguments in ([], ["one"], ["/nowhere.json", self.folder / "out.json"]):
            result = self.command(*arguments)
            self.assertEqual((result.returncode, result.stdout, len(result.stderr.splitlines())), (2, "", 1), arguments)

    def test_a_leak_is_no_report_of_another_bug(self):
        leak = {"errors": 2, "messages": ["Leaked 4 bytes at 0x..."]}
        more = {"errors": 3, "messages": ["Invalid read", "Leaked 4 bytes at 0x..."]}
        for bug, run, found in (("unordered", leak, False), ("unordered", more, True), ("leak", leak, True), (None, leak, True)):
            with self.subTest(bug=bug, run=run):
                self.assertEqual(sanitizer_table.tool_found(run, bug), found)


if __name__ == "__main__":
    unittest.main()
