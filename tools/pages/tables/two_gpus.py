"""What tests of tables and plots begin with: results of two GPUs."""

import json
import pathlib
import tempfile
import unittest

import results_files
import rung_plots
import tables

from sample_report import sample  # isort: skip (places says where it is)


class WithTwoGpus(unittest.TestCase):
    """With files of results in a folder of their own: an H200's, and one of a GPU that did less."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name) / "results"
        self.results.mkdir()
        self.addCleanup(setattr, results_files, "RESULTS", results_files.RESULTS)
        self.addCleanup(setattr, tables, "GOALS", tables.GOALS)
        self.addCleanup(setattr, rung_plots, "STORIES", rung_plots.STORIES)
        results_files.RESULTS = self.results
        rung_plots.STORIES = {}  # told by results that this folder does not have
        tables.GOALS = self.results.parent / "goals.json"
        (self.results / "schema.json").write_text("{}", encoding="utf-8")
        self.h200, self.other = sample(), sample()
        self.h200["device"]["name"] = "NVIDIA H200"
        self.other["device"]["name"] = "A GPU"
        self.other["kernels"] = [row for row in self.other["kernels"] if row["cols"] == 1]
        self.write()

    def write(self):
        for name, report in ("nvidia-h200", self.h200), ("a-gpu", self.other):
            (self.results / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")

    def kernel(self, name):
        return next(row for row in self.h200["kernels"] if row["kernel"] == name and row["cache"] == "cold")
