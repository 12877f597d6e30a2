#!/usr/bin/env python3
"""Tests %%emucc in a notebook: notebook_test.py EMUCC VENV. Exit status 77: VENV has no ipykernel and nbclient.

CI makes the environment by prepare.py of the site's tests, from notebook-requirements.txt.
"""

import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = """%%emucc --traffic
#include <cstdio>
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
int main() {
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  twice<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  std::printf("done\\n");
  cudaFree(a);
}
"""


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # pylint: disable=import-outside-toplevel
        import nbformat
        from nbclient import NotebookClient

        texts = ["%load_ext emucc", PROGRAM, "limit = 30", "%emucc --time-limit $limit --timeline",
                 "%emucc --gpu --check"]  # fmt: skip
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
        NotebookClient(made, timeout=300).execute()
        cls.outputs = [cell.outputs for cell in made.cells]

    def test_nothing_is_said_when_it_is_loaded(self):
        self.assertEqual(self.outputs[0], [])

    def test_a_program_shows_text_and_html(self):
        shown, = self.outputs[1]
        self.assertRegex(shown.data["text/plain"], r"(?s)^done\n\nWhat each line .*\n\nexit status 0, on the emulator$")
        self.assertIn("<pre", shown.data["text/html"])

    def test_it_runs_again_and_is_drawn(self):
        shown, = self.outputs[3]
        self.assertIn("data:image/svg+xml", shown.data["text/html"])

    def test_what_cannot_be_is_one_line(self):
        shown, = self.outputs[4]
        self.assertEqual((shown.name, shown.text.count("\n")), ("stderr", 1))
        self.assertIn("emucc: --check is the emulator's", shown.text)


def main():
    if len(sys.argv) < 3:
        print("usage: notebook_test.py EMUCC VENV", file=sys.stderr)
        return 2
    python = pathlib.Path(sys.argv[2]) / "bin/python"
    if sys.argv[3:] != ["--there"]:
        there = python.is_file() and subprocess.run([python, "-c", "import ipykernel, nbclient"], check=False,
                                                    stderr=subprocess.DEVNULL).returncode == 0  # fmt: skip
        if not there:
            print("SKIPPED: no ipykernel and nbclient here (emulator/tools/packaging/notebook-requirements.txt)")
            return 77
        os.execv(python, [python, "-B", __file__, *sys.argv[1:3], "--there"])
    os.environ.update(EMUCC=sys.argv[1], EMULATOR_CLANG="none", PYTHONPATH=str(HERE / "python"),
                      IPYTHONDIR="/nonexistent", PYTHONDONTWRITEBYTECODE="1")  # fmt: skip
    unittest.main(argv=sys.argv[:1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
