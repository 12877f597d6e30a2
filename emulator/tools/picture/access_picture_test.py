#!/usr/bin/env python3
"""Tests of access_picture.py with reports made by hand."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import access_banks
import access_drawing
import access_picture

TOOL = pathlib.Path(__file__).resolve().parent / "access_picture.py"


def instruction(kind, width, first_byte, active=range(32), **more):
    """One whose lane k asks for `width` bytes from first_byte(k) on."""
    lanes = [first_byte(lane) if lane in active else None for lane in range(32)]
    return {"kind": kind, "bytes_a_lane": width, "requests": 64, "active_lanes": 64 * len(active),
            "example": {"block": [2, 0, 0], "warp": 1, "lanes": lanes} | more}  # fmt: skip


def load(first_byte, width=4, **more):
    return instruction("global_load", width, first_byte, **more)


def shared(first_byte, width=4, kind="shared_load", served=32, **more):
    """The same in shared memory, where that many lanes are served together."""
    one = instruction(kind, width, first_byte, **more)
    lanes = one["example"]["lanes"]
    groups = []
    for first in range(0, 32, served):
        here = [lane for lane in range(first, first + served) if lanes[lane] is not None]
        words = {byte // 4 for lane in here for byte in range(lanes[lane], lanes[lane] + width)}
        banks = [sum(word % 32 == bank for word in words) for bank in range(32)]
        groups += [{"lanes": here, "words_by_bank": banks, "wavefronts": max(banks)}] if here else []
    one["example"].setdefault("groups", groups)
    return one


def launch(*lines, kernel="copy", instance="copy<float>"):
    return {"kernel": kernel, "instance": instance,
            "lines": [{"file": file, "line": line, "instructions": found} for file, line, *found in lines]}  # fmt: skip


def report(*launches):
    return {"schema_version": 2, "program": "test", "kernels": list(launches)}


class DrawnPicture:
    """A picture, read back."""

    def __init__(self, one):
        choice = access_picture.Choice("copy", "copy<float>", "folder/copy.cu", 7, 1, one)
        drawing, self.verdict = access_picture.draw(choice)
        self.text = drawing.svg()
        self.root = ElementTree.fromstring(self.text)
        self.width = float(self.root.get("width"))
        self.height = float(self.root.get("height"))
        self.shapes = [node for node in self.root.iter() if node.tag.endswith(("rect", "path", "text"))]

    def classes(self):
        return [node.get("class", "").split() for node in self.shapes]

    def count(self, kind):
        return sum(kind in kinds for kinds in self.classes())

    def words(self, kind="text"):
        return [node.text for node in self.root.iter() if node.tag.endswith(kind)]

    def cells(self):
        """What is written on filled cells."""
        return [node.text for node in self.shapes if "cell" in node.get("class", "").split()]


class GlobalMemory(unittest.TestCase):
    # What lane k's first byte is, its width, and: sectors, ideal, lines, places with used bytes.
    PATTERNS = {
        "unit stride": (lambda k: 4 * k, 4, 4, 4, 1, 32),
        "offset by one": (lambda k: 4 * k + 4, 4, 5, 4, 2, 32),
        "stride 2": (lambda k: 8 * k, 4, 8, 4, 2, 32),
        "stride 8": (lambda k: 32 * k, 4, 32, 4, 8, 32),
        "a column": (lambda k: 65536 * k + 12, 4, 32, 4, 32, 32),
        "one word": (lambda k: 640, 4, 1, 1, 1, 1),
        "float4": (lambda k: 16 * k, 16, 16, 16, 4, 32),
        "double": (lambda k: 8 * k, 8, 8, 8, 2, 32),
        "bytes": (lambda k: k, 1, 1, 1, 1, 32),
        "backwards": (lambda k: 124 - 4 * k, 4, 4, 4, 1, 32),
        "two rows": (lambda k: 65536 * (k // 16) + 4 * (k % 16), 4, 4, 4, 2, 32),
    }

    def test_sectors_lines_and_lanes(self):
        for name, (first_byte, width, sectors, ideal, lines, places) in self.PATTERNS.items():
            with self.subTest(name):
                one = load(first_byte, width, sectors=sectors, ideal_sectors=ideal)
                memory = access_drawing.GlobalMemory(one["example"], width)
                self.assertEqual((len(memory.sectors), memory.ideal, len(memory.lines)), (sectors, ideal, lines))
                drawn = DrawnPicture(one)
                self.assertEqual(drawn.count("sector"), sectors)
                self.assertEqual(drawn.count("used"), places)
                self.assertEqual(drawn.count("ribbon"), 32)
                self.assertEqual(drawn.cells(), [str(lane) for lane in range(32)])

    def test_lanes_without_part_are_faint(self):
        drawn = DrawnPicture(load(lambda k: 4 * k, active=range(1, 12)))
        self.assertEqual(drawn.cells(), [str(lane) for lane in range(1, 12)])
        self.assertEqual((drawn.count("ribbon"), drawn.count("dashed"), drawn.count("sector")), (11, 21, 2))

    def test_what_is_said(self):
        column = DrawnPicture(load(lambda k: 65536 * k))
        self.assertEqual(column.verdict, "32 sectors, 4 would do: 12.5 % of the bytes moved are used")
        self.assertIn("⋯ 65,408 bytes ⋯ between one line and the next", column.words())
        said = " ".join(column.words())
        for part in ("global load, 4 bytes per lane · copy.cu:7 · 64 requests · copy<float>",
                     "warp 1 of block (2, 0, 0)", "32 sectors in 32 lines of 128 bytes"):  # fmt: skip
            self.assertIn(part, said)
        self.assertEqual(column.words("title"), [column.verdict])
        self.assertIn("32 of 32 lanes take part", column.words("desc")[0])
        self.assertEqual(DrawnPicture(load(lambda k: 64)).verdict,
                         "1 sector, the fewest possible: 12.5 % of the bytes moved are used")  # fmt: skip
        self.assertIn("65,408 bytes", DrawnPicture(load(lambda k: 65536 * (k // 16) + 4 * (k % 16))).words())

    def test_how_the_example_stands_among_the_requests(self):
        for sectors, part in ((64 * 32, "active; all take the same number of sectors"),
                              (64 * 16 + 32, "active, the worst; 16.5 sectors per request on average")):  # fmt: skip
            one = load(lambda k: 128 * k, sectors=32) | {"sectors": sectors}
            self.assertIn(f"32 of 32 lanes {part}", " ".join(DrawnPicture(one).words()))

    def test_bytes_are_drawn_where_they_lie(self):
        drawn, wide = DrawnPicture(load(lambda k: 4 * k)), access_drawing.Drawing("", "")
        used = [node for node in drawn.shapes if "used" in node.get("class", "").split()]
        for lane, node in enumerate(used):
            x = wide.left + lane * wide.pitch
            self.assertLess(abs(float(node.get("x")) - x), 4)


class SharedMemory(unittest.TestCase):
    # Lane k's first byte, its width, kind, and: wavefronts, groups, cells, cells in crowded banks.
    PATTERNS = {
        "unit stride": (lambda k: 4 * k, 4, "shared_load", 1, 1, 32, 0),
        "stride 2": (lambda k: 8 * k, 4, "shared_load", 2, 1, 32, 32),
        "column of [32][32]": (lambda k: 128 * k, 4, "shared_load", 32, 1, 32, 32),
        "column of [32][33]": (lambda k: 132 * k, 4, "shared_load", 1, 1, 32, 0),
        "far rows": (lambda k: 1024 * k, 4, "shared_load", 32, 1, 32, 32),
        "one word": (lambda k: 64, 4, "shared_load", 1, 1, 1, 0),
        "bytes": (lambda k: k, 1, "shared_load", 1, 1, 8, 0),
        # Of 16 and of 8 bytes per lane, as measured on a GPU.
        "v4 t": (lambda k: 16 * k, 16, "shared_load", 4, 4, 32, 0),
        "v4 t/2": (lambda k: 16 * (k // 2), 16, "shared_load", 2, 2, 16, 0),
        "v4 t&~2": (lambda k: 16 * (k & ~2), 16, "shared_load", 4, 2, 16, 16),
        "v4 2t": (lambda k: 32 * k, 16, "shared_load", 8, 4, 32, 32),
        "v4 8t": (lambda k: 128 * k, 16, "shared_load", 32, 4, 32, 32),
        "v4 (t/2)8": (lambda k: 128 * (k // 2), 16, "shared_load", 16, 2, 16, 16),
        "v4 (t/2)8 stored": (lambda k: 128 * (k // 2), 16, "shared_store", 16, 4, 16, 16),
        "v2 t": (lambda k: 8 * k, 8, "shared_load", 2, 2, 32, 0),
        "v2 t/2": (lambda k: 8 * (k // 2), 8, "shared_load", 1, 1, 16, 0),
        "v2 16t": (lambda k: 128 * k, 8, "shared_load", 32, 2, 32, 32),
    }

    def test_wavefronts_groups_and_cells(self):
        for name, (first_byte, width, kind, wavefronts, groups, cells, crowded) in self.PATTERNS.items():
            with self.subTest(name):
                one = shared(first_byte, width, kind, 32 // groups, wavefronts=wavefronts)
                memory = access_banks.SharedMemory(one)
                self.assertEqual((memory.wavefronts, len(memory.groups)), (wavefronts, groups))
                drawn = DrawnPicture(one)
                asked = [kinds for kinds in drawn.classes() if "asked" in kinds]
                self.assertEqual(len(asked), cells)
                self.assertEqual(sum("b" in kinds for kinds in asked), crowded)
                self.assertEqual(drawn.count("conflict") > 0, wavefronts > groups)
                self.assertLess(drawn.height, 1200)

    def test_what_is_said(self):
        self.assertEqual(DrawnPicture(shared(lambda k: 128 * k)).verdict,
                         "32-way bank conflict: 32 wavefronts instead of 1")  # fmt: skip
        self.assertEqual(DrawnPicture(shared(lambda k: 16 * k, 16, served=8)).verdict,
                         "no bank conflict: 4 wavefronts for 4 groups of lanes")  # fmt: skip
        words = DrawnPicture(shared(lambda k: 32 * k, 16, served=8)).words()
        for part in ("lanes 0–7: 2 wavefronts", "lanes 24–31: 2 wavefronts", "32 lanes, 128 words of 4 bytes"):
            self.assertIn(part, words)

    def test_of_atomics_it_is_lanes_that_count(self):
        def atomic(first_byte, form, wavefronts, ideal):
            one = shared(first_byte, kind="shared_atomic", wavefronts=wavefronts, ideal_wavefronts=ideal)
            one["form"] = form
            for group in one["example"]["groups"]:
                at = [one["example"]["lanes"][lane] for lane in group["lanes"]]
                group["lanes_by_bank"] = [sum(byte // 4 % 32 == bank for byte in at) for bank in range(32)]
            return one

        same = DrawnPicture(atomic(lambda k: 0, "one step", 32, 1))
        self.assertEqual(same.verdict, "32 lanes at 1 word: 32 wavefronts instead of 1")
        self.assertIn("lanes", same.words())
        self.assertGreater(same.count("conflict"), 0)
        self.assertEqual(DrawnPicture(atomic(lambda k: 4 * k, "one step", 1, 1)).verdict,
                         "32 lanes at 32 words: 1 wavefront")  # fmt: skip
        counting = DrawnPicture(atomic(lambda k: 0, "counting lanes", 1, 1))
        self.assertEqual(counting.verdict, "32 lanes at 1 word: 1 wavefront")
        self.assertEqual(counting.count("conflict"), 0)
        wrong = atomic(lambda k: 0, "one step", 32, 1)
        wrong["example"]["groups"][0]["lanes_by_bank"][0] = 31
        with self.assertRaises(access_picture.DrawingError):
            DrawnPicture(wrong)

    def test_a_sector_counts_for_each_lane_that_waits(self):
        one = instruction("global_atomic", 4, lambda k: 64, sectors=32, ideal_sectors=1)
        self.assertEqual(DrawnPicture(one).verdict, "32 sectors, 1 would do: lanes mean one element")

    def test_lanes_of_one_word_share_a_cell(self):
        self.assertEqual(DrawnPicture(shared(lambda k: 64)).cells(), ["0–", "31"])
        self.assertEqual(DrawnPicture(shared(lambda k: 4 * (k % 8))).cells(), ["×4"] * 8)
        self.assertEqual(DrawnPicture(shared(lambda k: 4 * (k % 16))).cells()[:2], ["0,", "16"])
        self.assertEqual(DrawnPicture(shared(lambda k: k, 1)).cells()[:2], ["0–3", "4–7"])


class Pictures(unittest.TestCase):
    def test_fit_a_page(self):
        patterns = [load(first, width) for first, width, *_ in GlobalMemory.PATTERNS.values()]
        patterns += [shared(first, width, kind) for first, width, kind, *_ in SharedMemory.PATTERNS.values()]
        for one in patterns:
            drawn = DrawnPicture(one)
            self.assertLessEqual(drawn.width, 960)
            self.assertEqual(drawn.root.get("role"), "img")
            for size in re.findall(r"font-size:([0-9.]+)px", drawn.text):
                self.assertGreaterEqual(float(size), 11)
            for node in drawn.shapes:
                if node.tag.endswith("rect"):
                    edges = [float(node.get(key)) for key in ("x", "y", "width", "height")]
                    self.assertGreaterEqual(min(edges), 0)
                    self.assertLessEqual(edges[0] + edges[2], drawn.width)
                    self.assertLessEqual(edges[1] + edges[3], drawn.height)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        good, bad = load(lambda k: 4 * k), load(lambda k: 128 * k, sectors=32, ideal_sectors=4)
        self.report = report(
            launch(("a/copy.cu", 7, good, shared(lambda k: 4 * k)), ("a/other.cu", 7, good),
                   ("a/copy.cu", 9, good, good), ("a/copy.cu", 11, good)),
            launch(("a/copy.cu", 11, bad)),
            launch(("a/copy.cu", 11, good), ("a/copy.cu", 13, good), kernel="fill", instance="fill"),
        )  # fmt: skip

    def run_tool(self, *arguments, text=None, columns=""):
        """Status, stdout, stderr; the report is in a file of a name with a space."""
        path = self.folder / "a report.json"
        path.write_text(json.dumps(self.report) if text is None else text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, TOOL, path.name, *arguments], cwd=self.folder, capture_output=True, encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": columns}, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def refused(self, part, *arguments, **how):
        status, out, err = self.run_tool(*arguments, **how)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(part, err)

    def test_draws_into_a_file_with_a_name_of_its_own_or_a_given_one(self):
        status, out, err = self.run_tool("--line", "13")
        self.assertEqual((status, err), (0, ""))
        verdict = "4 sectors, the fewest possible: 100 % of the bytes moved are used"
        self.assertEqual(out, f"{verdict}\nwrote copy-13-global-load.svg\n")
        ElementTree.parse(self.folder / "copy-13-global-load.svg")
        (self.folder / "drawn").mkdir()
        self.assertEqual(self.run_tool("--line", "13", "--folder", "drawn")[1].splitlines()[1],
                         "wrote drawn/copy-13-global-load.svg")  # fmt: skip
        ElementTree.parse(self.folder / "drawn" / "copy-13-global-load.svg")
        self.run_tool("--line", "13", "--out", "a b.svg")
        written = (self.folder / "a b.svg").read_text(encoding="utf-8")
        self.assertEqual(self.run_tool("--line", "13", "--out", "-"), (0, written, ""))

    def test_of_several_launches_the_worst_is_drawn(self):
        status, out, _ = self.run_tool("--line", "11", "--kernel", "copy", "--out", "x.svg")
        self.assertEqual((status, out[:3], out[-12:]), (0, "32 ", "wrote x.svg\n"))

    def test_lists_what_can_be_drawn(self):
        self.report["kernels"][0]["lines"][0]["instructions"][0]["sectors"] = 256
        status, out, _ = self.run_tool()
        self.assertEqual((status, out.count("\n")), (0, 9))
        self.assertRegex(out, r"copy<float> +copy.cu:7 +1 +global load, 4 bytes per lane +4 sectors\n")
        self.assertRegex(out, r"copy<float> +copy.cu:7 +2 +shared load")
        self.assertEqual(self.run_tool("--kernel", "fill")[1].count("\n"), 3)

    def test_the_list_fits_the_screen_and_says_what_it_leaves_out(self):
        self.report["kernels"][0]["lines"][0]["instructions"][0]["sectors"] = 256
        whole = self.run_tool()[1]
        self.assertEqual(self.run_tool(columns="200")[1], whole)
        words = set(whole.split())
        for columns in (50, 60, 70):
            narrow = self.run_tool(columns=str(columns))[1]
            self.assertLessEqual(max(map(len, narrow.splitlines())), columns, narrow)
            if columns >= 70:  # all of it is there, the kernels once for all their lines
                self.assertLessEqual(words, set(narrow.split()))
            else:
                self.assertIn(f"(not shown in {columns} columns: per request, mean)", narrow)
        wanted = ["kernel", "  line        no.  instruction                    per request, mean", "copy<float>",
                  "  copy.cu:7   1    global load, 4 bytes per lane  4 sectors"]  # fmt: skip
        self.assertEqual(narrow.splitlines()[:4], wanted)

    def test_what_is_ambiguous_is_refused_with_the_choices(self):
        self.refused("choose with --file: a/copy.cu; a/other.cu", "--line", "7")
        self.refused("choose with --instruction: 1 (global load, ", "--line", "7", "--file", "copy.cu")
        self.refused("choose with --kernel: 'copy<float>'; 'fill'", "--line", "11")
        self.refused("choose with --instruction: 1 (global load, 4 bytes per lane); 2 (", "--line", "9")
        for choice in (["--file", "a/other.cu"], ["--file", "copy.cu", "--kind", "shared_load"],
                       ["--file", "copy.cu", "--instruction", "2"]):  # fmt: skip
            self.assertEqual(self.run_tool("--line", "7", *choice, "--out", "-")[0], 0, choice)
        for choice in (["--line", "11", "--kernel", "copy<float>"], ["--line", "9", "--instruction", "2"]):
            self.assertEqual(self.run_tool(*choice, "--out", "-")[0], 0, choice)

    def test_what_is_not_there_is_refused_with_what_is(self):
        there = "copy<float> at copy.cu:7, 9, 11; copy<float> at other.cu:7; fill at copy.cu:11, 13"
        self.refused(f"there are: {there}", "--line", "8")
        self.refused("there are: fill at copy.cu:11, 13", "--line", "8", "--kernel", "fill")
        self.refused("there are: 1 global_load in fill", "--line", "13", "--kind", "global_store")
        self.refused("there are: 1 global_load in fill", "--line", "13", "--instruction", "2")
        self.refused("no such memory instruction", "--line", "13", "--file", "py.cu")

    def test_bad_options_and_reports_are_one_line(self):
        self.refused("invalid int value: 'x'", "--line", "x")
        self.refused("unrecognized arguments: --lines=3", "--lines=3")
        self.refused("invalid choice: 'load'", "--kind", "load")
        self.refused("--out wants a --line", "--out", "x.svg")
        self.refused("cannot write nowhere/x.svg: No such file", "--line", "13", "--out", "nowhere/x.svg")
        self.refused("is not JSON", text="{")
        self.refused("is not a report of the emulator's", text="[]")
        self.refused("is not a report of the emulator's", text='{"kernels": []}')
        self.refused("has schema_version 1", text='{"schema_version": 1, "kernels": []}')
        self.refused("holds no memory instruction", text=json.dumps(report()))
        for key, value in (("lanes", [0] * 31), ("lanes", [0.5] * 32), ("block", None), ("warp", "1")):
            broken = json.loads(json.dumps(self.report))
            broken["kernels"][0]["lines"][0]["instructions"][0]["example"][key] = value
            self.refused("is not a report of the emulator's", text=json.dumps(broken))
        self.refused("no lane takes part", "--line", "1",
                     text=json.dumps(report(launch(("a.cu", 1, load(lambda k: 0, active=()))))))  # fmt: skip

    def test_a_report_that_contradicts_itself_is_not_drawn(self):
        for one in (load(lambda k: 4 * k, sectors=5), load(lambda k: 8 * k, ideal_sectors=8),
                    shared(lambda k: 4 * k, wavefronts=2),
                    shared(lambda k: 4 * k, groups=[{"lanes": [0, 1], "words_by_bank": [2] * 32}])):  # fmt: skip
            text = json.dumps(report(launch(("a.cu", 1, one))))
            self.refused("the report contradicts itself", "--line", "1", text=text)

    def test_help(self):
        out = io.StringIO()
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stdout(out):
            access_picture.main(["--help"])
        self.assertEqual(ended.exception.code, 0)
        self.assertIn("EMULATOR_REPORT", out.getvalue())


if __name__ == "__main__":
    unittest.main()
