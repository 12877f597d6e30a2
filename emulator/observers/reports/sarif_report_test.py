#!/usr/bin/env python3
"""Tests of findings as SARIF: sarif_report_test.py PROGRAM [HOMEPAGE], where PROGRAM is checks/host_checks_program.cu,
and HOMEPAGE says where the sources are, if that is known.

The files were held once against the schema of SARIF 2.1.0. Here they are held against what GitHub's documentation of
code scanning calls required, and against what the program has done.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent / "checks/host_checks_program.cu"
FINDINGS_H = HERE.parents[1] / "include/emulator/findings.h"
PROGRAM = HOMEPAGE = ""


def line_with(text):
    """The number of the one line of the program's source that holds a text."""
    (number,) = [number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line]
    return number


class Sarif(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.path = self.folder / "found.sarif"

    def begin(self, way="", cwd=None, **environment):
        settings = {"EMULATOR_SARIF": str(self.path), "EMULATOR_CHECK": ""} | environment
        return subprocess.Popen([PROGRAM, way], env=os.environ | settings, cwd=cwd or self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def run_program(self, way="", **settings):
        process = self.begin(way, **settings)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def run_of_file(self):
        """The file's one run, after a look at what every file must have."""
        log = json.loads(self.path.read_text())
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(log["$schema"].endswith("/sarif-2.1.0.json"))
        (run,) = log["runs"]  # GitHub takes no file with two of one tool
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "emucc")
        self.assertEqual(driver.get("informationUri", ""), HOMEPAGE)
        for rule in driver["rules"]:
            for text in ("shortDescription", "fullDescription", "help"):
                self.assertTrue(0 < len(rule[text]["text"]) <= 1024)
            helps = f"{HOMEPAGE}/blob/HEAD/docs/finding-bugs.md#the-kinds" if HOMEPAGE else ""
            self.assertEqual(rule.get("helpUri", ""), helps)
        for result in run["results"]:
            self.look_at(result, {rule["id"] for rule in driver["rules"]}, len(run["invocations"]))
        return run

    def look_at(self, result, rules, invocations):
        self.assertIn(result["ruleId"], rules)
        self.assertIn(result["level"], ("error", "warning", "note"))
        self.assertTrue(result["message"]["text"])
        self.assertEqual(len(result["locations"]), 1)
        self.assertTrue(result["partialFingerprints"])
        self.assertLess(result["provenance"]["invocationIndex"], invocations)
        related = result.get("relatedLocations", [])
        self.assertEqual([place["id"] for place in related], list(range(1, len(related) + 1)))
        linked = re.findall(r"\]\((\d+)\)", result["message"]["text"])
        self.assertEqual(linked, [str(place["id"]) for place in related])
        for place in result["locations"] + related:
            self.assertGreater(place["physicalLocation"]["region"]["startLine"], 0)
            self.assertTrue(place["physicalLocation"]["artifactLocation"]["uri"])

    def results(self, way, status, **settings):
        self.path.unlink(missing_ok=True)
        code, errors = self.run_program(way, **settings)
        self.assertEqual(code, status, errors)
        return self.run_of_file()["results"]

    def test_one_finding(self):
        (found,) = self.results("free-twice", 3)
        self.assertEqual((found["ruleId"], found["level"], found["occurrenceCount"]), ("double-free", "error", 1))
        places = [place["physicalLocation"] for place in found["locations"] + found["relatedLocations"]]
        lines = [place["region"]["startLine"] for place in places]
        self.assertEqual(lines[0], line_with("in the wrapper, too"))
        self.assertIn(line_with("// for the second time"), lines[1:])
        text = SOURCE.read_text().splitlines()[lines[0] - 1]
        region = places[0]["region"]
        self.assertEqual(text[region["startColumn"] - 1:region["endColumn"] - 1], text.strip())
        uri = places[0]["artifactLocation"]["uri"]
        self.assertEqual(pathlib.Path(urllib.parse.unquote(uri.removeprefix("file://"))), SOURCE.resolve())
        self.assertRegex(found["message"]["text"], r"already freed\. .*See \[.*\]\(1\)\..* To fix it: free it only once")

    def test_files_below_the_folder_are_named_relative_to_it(self):
        (found,) = self.results("free-twice", 3, cwd=SOURCE.parents[1])
        place = found["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place, {"uri": "checks/host_checks_program.cu", "uriBaseId": "%SRCROOT%"})
        bases = self.run_of_file()["originalUriBaseIds"]
        self.assertEqual(bases, {"%SRCROOT%": {"uri": SOURCE.resolve().parents[1].as_uri() + "/"}})
        # Of that folder are all that the file names, also those of a program that began elsewhere.
        self.run_program("leak", cwd=self.folder)
        uris = {place["physicalLocation"]["artifactLocation"]["uri"]
                for result in self.run_of_file()["results"] for place in result["locations"]}  # fmt: skip
        self.assertEqual(uris, {"checks/host_checks_program.cu"})

    def test_every_end(self):
        for way, status in {"free-twice-and-exit-5": 3, "free-twice-and-abort": -signal.SIGABRT,
                            "free-twice-and-kill": -signal.SIGKILL}.items():  # fmt: skip
            with self.subTest(way):
                (found,) = self.results(way, status)
                self.assertEqual(found["ruleId"], "double-free")
                (invocation,) = self.run_of_file()["invocations"]
                self.assertEqual(invocation["executionSuccessful"], status > 0)
                self.assertEqual(invocation.get("exitCode"), 3 if status > 0 else None)
        (found, *_) = self.results("kernel-out-of-bounds-and-abort", -signal.SIGABRT)
        self.assertEqual(found["ruleId"], "out-of-bounds")
        (kernel,) = found["locations"][0]["logicalLocations"]
        self.assertIn("fill", kernel["fullyQualifiedName"])

    def test_nothing_found(self):
        self.assertEqual(self.results("", 0), [])
        self.assertEqual(self.results("free-twice-and-clear", 0), [])
        (invocation,) = self.run_of_file()["invocations"]
        self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (True, 0))

    def test_all_are_written_and_not_only_those_that_are_printed(self):
        self.assertEqual(len(self.results("seventy", 3)), 70)
        self.assertEqual(len(self.results("fifty-seventy-and-kill", -signal.SIGKILL)), 70)
        self.assertEqual([result["level"] for result in self.results("note", 0)], ["note", "note"])

    def test_processes_at_once(self):
        """Each finds the same two mistakes, which are there once; one more finds another."""
        processes = [self.begin("leak") for _ in range(8)] + [self.begin("free-twice")]
        for process in processes:
            process.communicate(timeout=120)
            self.assertEqual(process.returncode, 3)
        run = self.run_of_file()
        self.assertEqual(len(run["invocations"]), 9)
        self.assertEqual({invocation["processId"] for invocation in run["invocations"]},
                         {process.pid for process in processes})  # fmt: skip
        self.assertEqual(sorted(result["ruleId"] for result in run["results"]), ["double-free", "leak", "leak"])
        self.assertEqual([path.name for path in self.folder.iterdir()], [self.path.name])

    def test_what_cannot_be_written_is_one_line(self):
        self.path.write_text('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "other"}}}]}')
        (self.folder / "text").write_text("nothing of ours")
        (self.folder / "list").write_text("[]")
        for path in (self.path, self.folder / "text", self.folder / "list", self.folder, "/dev/null", "/no/folder/f"):
            before = self.path.read_bytes()
            code, errors = self.run_program("free-twice", EMULATOR_SARIF=str(path))
            self.assertEqual((code, errors.count("\n")), (2, 1), errors)
            self.assertIn(f"cannot write EMULATOR_SARIF={path}: ", errors)
            self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual((self.folder / "text").read_text(), "nothing of ours")

    def test_with_the_checks_off(self):
        code, errors = self.run_program("free-twice", EMULATOR_CHECK="0")
        self.assertEqual((code, errors.count("\n")), (2, 1))
        self.assertFalse(self.path.exists())

    def test_every_kind_has_a_rule(self):
        self.results("", 0)
        rules = [rule["id"] for rule in self.run_of_file()["tool"]["driver"]["rules"]]
        text = FINDINGS_H.read_text()
        text = text[:text.index("std::string kind;")].rpartition("severity")[2]
        self.assertEqual(sorted(rules), sorted(re.findall(r"`([a-z-]+)`", text)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    PROGRAM, HOMEPAGE = (*sys.argv[1:3], "")[:2]
    unittest.main(argv=sys.argv[:1])
