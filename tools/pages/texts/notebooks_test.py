#!/usr/bin/env python3
"""Tests of notebooks.py: each notebook holds the chapter's page and program, and needs nothing else.

    notebooks_test.py                                          what is in them
    notebooks_test.py --run BUILD_FOLDER [--whole] [--out FOLDER] [NAME...]
                                                               runs them; exit status 77: nothing here to run them with

Without --whole what the programs share is taken from the build, which saves most of the time. An exercise is run only
where COURSE_PRISTINE is set, since its cell is saved in the checkout. --out keeps all notebooks that there are. They are
run in BUILD_FOLDER/notebooks-venv, which CI makes by prepare.py of the site's tests.
"""

import argparse
import base64
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import notebooks
from exercise_notebooks import exercise_names, exercise_notebook
from notebook_text import markdown, no_links, sections
from places import ROOT

PAGE = ROOT / "chapters/02_coalesced/README.md"


def source(cell):
    return "".join(cell["source"])


class Parts(unittest.TestCase):
    def test_a_section_is_cut_into_blocks_and_a_question_is_one(self):
        text = ("# Title\n\nWords.\n\n## One\n\n```sh\n## no heading\n\n```\n\n<!-- question: a -->\n**Predict.** x\n\n"
                "<details>\n\ny\n\n</details>\n<!-- end of question -->\nEnd.\n")
        intro, one = sections(text)
        self.assertEqual(intro, ["# Title", "Words."])
        self.assertEqual([block.split("\n")[0] for block in one], ["## One", "```sh", "<!-- question: a -->", "End."])

    def test_links_become_words_and_code_stays(self):
        shown = markdown(PAGE, "A [term `x`](../a.md#b), `[i](y)`, [NVIDIA](https://nvidia.com).\n```cuda\n[i](z)\n```")
        self.assertEqual(shown, "A term `x`, `[i](y)`, [NVIDIA](https://nvidia.com).\n```cpp\n[i](z)\n```")

    def test_a_link_leads_where_its_file_is(self):
        shown = markdown(PAGE, "[a](../01_global/README.md#x), [b](none.md), [c](#here)",
                         lambda file: f"{file.parent.name}.ipynb" if file.is_file() else None)
        self.assertEqual(shown, "[a](01_global.ipynb), b, c")

    def test_comments_go(self):
        shown = markdown(PAGE, "<!-- kernel: a.cu f -->\n`f`:\n\n```cuda\n// f\n\n```\n"
                               "<!-- end of kernel -->\nB.")  # fmt: skip
        self.assertEqual(shown, "`f`:\n\n```cpp\n// f\n\n```\n\nB.")

    def test_commands_become_cells(self):
        text = ("`./course run 02 --rows\n7`, `./course run 02`, `./course run 03 --rows 9`, "
                "`./course run 02 --rows M`, `./course traffic 02 --size 64`, "
                "`./course picture 02 --file a.hpp --line 4 --instruction 2 -- --banks`, "
                "`./course run 02 --size 16384`, `./course run 02 --k 9 --kinds`")  # fmt: skip
        self.assertEqual([source(cell) for cell in notebooks.command_cells("02", text)],
                         ["%emucc -- --rows 7", "%emucc --traffic -- --size 64",
                          "%emucc --picture a.hpp:4.2 -- --banks"])  # fmt: skip

    def test_what_cannot_be_made_is_one_line(self):
        for arguments in ([], ["--check", "--out", "a"], ["--check", "99"], ["--out", "/proc/none", "01a"], ["--out", "/nonexistent", "--wheel", "none.whl", "18"]):
            with self.assertRaises(SystemExit) as left:
                notebooks.main(arguments)
            self.assertRegex(str(left.exception.code), r"^notebooks: [^\n]+$")


class Exercises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = {name: exercise_notebook(name, no_links)["cells"] for name in exercise_names()}

    def test_each_exercise_has_one_and_its_file_is_a_cell_as_it_stands(self):
        self.assertEqual(sorted(self.made), sorted(path.name for path in ROOT.glob("exercises/[0-9]*")))
        for name, cells in self.made.items():
            first, _, body = source(next(cell for cell in cells if source(cell).startswith("%%course"))).partition("\n")
            self.assertEqual(first, f"%%course check {name[:3]}")
            files = [path for path in (ROOT / "exercises" / name).iterdir()
                     if path.read_text(encoding="utf-8").rstrip("\n") == body]  # fmt: skip
            self.assertEqual(len(files), 1, name)

    def test_its_text_is_the_handout(self):
        for cells in self.made.values():
            text = "\n\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")
            for heading in ("## What is asked", "## How it is checked", "## Your file"):
                self.assertIn(f"\n{heading}\n", text)


class Files(unittest.TestCase):
    def test_links_lead_to_a_file(self):
        for folder in (ROOT, None):  # links lead to files of the checkout, or only to other notebooks
            with tempfile.TemporaryDirectory(dir=folder, prefix=".notebooks-") as out, \
                    contextlib.redirect_stdout(io.StringIO()):
                notebooks.main(["--out", out])
                files = sorted(pathlib.Path(out).glob("*.ipynb"))
                self.assertGreaterEqual(len(files), 70)
                leading = 0
                for file in files:
                    made = json.loads(file.read_text(encoding="utf-8"))
                    leading += self.check_links(file, made["cells"], folder)
                self.assertGreater(leading, 500 if folder else 100)

    def check_links(self, file, cells, folder):
        text = "\n\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")
        prose = re.sub(r"`[^`]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
        links = re.findall(r"\]\((?!https?:)([^)]*)\)", prose)
        for link in links:
            self.assertTrue((file.parent / link).is_file(), f"{file.name}: {link}")
            self.assertTrue(folder or "/" not in link, f"{file.name}: {link}")
        return len(links)


class All(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = notebooks.chapter_names()
        cls.made = {name: notebooks.notebook(name) for name in names if name not in notebooks.WITHOUT}

    def each(self):
        self.assertGreaterEqual(len(self.made), 20)
        for name, made in self.made.items():
            yield name, made["cells"]

    def test_all_files_of_a_program_are_cells_as_they_stand(self):
        for name, cells in self.each():
            files = {}
            for cell in cells:
                first, _, body = source(cell).partition("\n")
                file = re.match(r"%%emucc --(?:save|name) (\S+)", first)
                if file:
                    files[file[1]] = body
            folder = ROOT / "chapters" / name
            for file, body in files.items():
                self.assertEqual(body, (folder / file).read_text(encoding="utf-8").rstrip("\n"))
                for other in notebooks.INCLUDED.findall(body):
                    self.assertTrue(other in files or (ROOT / "common/lesson" / other).is_file() or
                                    other[3:] in notebooks.program_of(folder).products, other)
            self.assertIn(name.partition("_")[2] + ".cu", files)

    def test_the_program_comes_before_what_runs_it_again(self):
        for _, cells in self.each():
            lines = [source(cell) for cell in cells if cell["cell_type"] == "code"]
            self.assertTrue(lines[0].rstrip().endswith("%load_ext emucc"))
            program = [place for place, line in enumerate(lines) if line.startswith("%%emucc --name")]
            again = [place for place, line in enumerate(lines) if line.startswith("%emucc ")]
            self.assertEqual(len(program), 1)
            self.assertLess(program[0], min(again, default=99))

    def test_the_text_needs_no_other_file(self):
        for name, cells in self.each():
            text = "\n\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")
            prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
            self.assertNotIn("<!--", prose)
            self.assertEqual(re.findall(r"\]\((?!https?:)[^)]*\)", re.sub(r"`[^`]*`", "", prose)), [], name)
            self.assertEqual(re.findall(r'(?:src|srcset)="(?!data:image)[^"]*"', prose), [])
            self.assertEqual(prose.count("<details>"), prose.count("</details>"))
            for heading in ("## The idea", "## What the emulator shows", "## Try it", "## Further reading"):
                self.assertIn(f"\n{heading}\n", text)

    def test_it_has_the_form_of_a_notebook(self):
        for _, cells in self.each():
            ids = [cell["id"] for cell in cells]
            self.assertEqual(len(set(ids)), len(ids))
            for cell in cells:
                self.assertRegex(cell["id"], r"^[\w-]{1,64}$")
                self.assertTrue(source(cell).strip())
                self.assertEqual("outputs" in cell, cell["cell_type"] == "code")

    def unpacked(self, cells):
        """{name: text} of what a notebook has packed."""
        packed = re.search(r'^packed = "(.*)"$', "\n".join(map(source, cells)), re.M)[1]
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(packed))) as archive:
            return {one.name: archive.extractfile(one).read().decode() for one in archive}

    def test_the_headers_are_those_of_the_course(self):
        files = self.unpacked(self.made["02_coalesced"]["cells"])
        for name in ("course.hpp", "common.cu", "report.inl", "console/table.hpp", "tensor_cores/mma.hpp"):
            self.assertEqual(files[f"lesson/{name}"], (ROOT / "common/lesson" / name).read_text(encoding="utf-8"))
        self.assertEqual([name for name in files if not name.startswith("lesson/")], [])

    def test_a_product_of_an_earlier_chapter_comes_with_all_that_it_includes(self):
        files = self.unpacked(self.made["29_fp32_on_tensor_cores"]["cells"])
        products = [name for name in files if not name.startswith("lesson/")]
        self.assertIn("20_gemm_pipeline/best_sgemm.hpp", products)
        for name in products:
            self.assertEqual(files[name], (ROOT / "chapters" / name).read_text(encoding="utf-8"))
            for other in notebooks.INCLUDED.findall(files[name]):
                self.assertTrue({f"{name.partition('/')[0]}/{other}", f"lesson/{other}"} & set(files), other)

    def test_the_first_cell_takes_the_wheel_from_where_one_says(self):
        cells = notebooks.notebook("01_global", "https://example.org/emucc.whl")["cells"]
        self.assertIn('wheels = ["https://example.org/emucc.whl"]', source(cells[1]))
        compile(re.sub(r"^( *)%.*", r"\1pass", source(cells[1]), flags=re.M), "cell", "exec")
        compile(source(cells[2]), "cell", "exec")


def malformed():
    """What nbformat has against any of the notebooks."""
    import nbformat

    made = {name: notebooks.notebook(name) for name in notebooks.chapter_names() if name not in notebooks.WITHOUT}
    made |= {name: exercise_notebook(name, no_links) for name in exercise_names()}
    for name, one in made.items():
        try:
            nbformat.validate(nbformat.reads(json.dumps(one), as_version=4))
        except nbformat.ValidationError as problem:
            yield f"{name}: {problem}"


def run_in_kernel(name, library):
    """What is wrong in the notebook of a chapter, run from its first cell to its last."""
    import nbformat
    from nbclient import NotebookClient

    text = json.dumps(notebooks.notebook(name))
    if library:
        text = text.replace("$common/common.cu", str(library))
    made = nbformat.reads(text, as_version=4)
    nbformat.validate(made)
    NotebookClient(made, timeout=900).execute()
    for cell in made.cells:
        if not re.match(r"%%?emucc", cell.source):
            continue
        shown = [output.get("data", {}).get("text/plain", str(output)) for output in cell.outputs]
        if len(shown) != 1 or not re.search(r"exit status 0, on the emulator$|for the cells below$", shown[0]):
            yield f"{name}: {cell.source.splitlines()[0]}: " + "\n".join(shown)[-2000:]
        elif cell.source.startswith("%%emucc --name") and library and "yes" not in shown[0]:
            yield f"{name}: the program does not say that its results are right:\n{shown[0]}"


def run_exercise(name):
    """What is wrong in the notebook of an exercise as it is handed out."""
    import nbformat
    from nbclient import NotebookClient

    made = nbformat.reads(json.dumps(exercise_notebook(name, no_links)), as_version=4)
    NotebookClient(made, timeout=900).execute()
    expected = {"%load_ext": "^$", "%%course check": r"is not solved yet: .* of 10 points\.$",
                "%course hint": "Hint [123] of 3|You have seen all", "%course traffic": "asked of the memory|FAILED",
                "%course hand-in": "no hub here"}  # fmt: skip
    for cell in made.cells:
        if cell.cell_type != "code":
            continue
        shown = "\n".join(output.get("data", {}).get("text/plain") or output.get("text", str(output))
                          for output in cell.outputs)  # fmt: skip
        wanted = next(text for command, text in expected.items() if command in cell.source)
        if not re.search(wanted, shown, re.S):
            yield f"{name}: {cell.source.splitlines()[0]}: no {wanted} in:\n{shown[-2000:]}"


def run_all(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--there", action="store_true", help="in the environment")
    parser.add_argument("chapters", nargs="*", default=[])
    options = parser.parse_args(arguments)
    build = options.run.resolve()
    python = build / "notebooks-venv/bin/python"
    if options.out:
        wheels = sorted((build / "packages").glob("emucc-*.whl"))
        notebooks.main(["--out", options.out, *(["--wheel", str(wheels[-1])] if wheels else [])])
    if not options.there:
        if not python.is_file() or subprocess.run([python, "-c", "import ipykernel, nbclient"], check=False,
                                                  stderr=subprocess.DEVNULL).returncode:  # fmt: skip
            print("SKIPPED: no ipykernel and nbclient here (emulator/tools/packaging/notebook-requirements.txt)")
            return 77
        arguments = [word for word in arguments if word not in ("--out", options.out)]
        os.execv(python, [python, "-B", __file__, *arguments, "--there"])
    os.environ.update(EMUCC=str(build / "emulator/emucc"), EMULATOR_CLANG="none", PYTHONDONTWRITEBYTECODE="1",
                      PYTHONPATH=f"{ROOT / 'emulator/tools/packaging/python'}:{ROOT / 'cli/jupyter'}",
                      COURSE_CHECKOUT=str(ROOT), COURSE_BUILD_DIR=str(build.parent), IPYTHONDIR="/nonexistent")  # fmt: skip
    library = None if options.whole else build / "common/libcourse_common_built.a"
    found = 0
    for problem in malformed():
        print(problem)
        found += 1
    for name in notebooks.chapter_names():
        if name not in notebooks.WITHOUT and (not options.chapters or {name, name[:2]} & set(options.chapters)):
            for problem in run_in_kernel(name, library):
                print(problem)
                found += 1
    # A cell of theirs is saved in the checkout: only where nobody has solved anything.
    for name in exercise_names() if os.environ.get("COURSE_PRISTINE") else []:
        for problem in run_exercise(name) if name[:3] in options.chapters else []:
            print(problem)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        sys.exit(run_all(sys.argv[1:]))
    unittest.main()
