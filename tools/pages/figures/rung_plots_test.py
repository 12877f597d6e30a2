#!/usr/bin/env python3
"""Tests of rung_plots.py, with the results that the repository keeps."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import places  # noqa: E402, F401 (says where the rooms are)
import plots
import rung_plots
from plotting import for_phones

try:
    import matplotlib
except ImportError:
    matplotlib = None


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


class Rungs(unittest.TestCase):
    def test_bars_limit_and_words(self):
        figure = rung_plots.rungs("22_hopper")
        [bars] = figure.rows["groups"].values()
        self.assertEqual([bar["name"] for bar in bars[:2]], ["wgmma", "128 x 128"])  # the ceiling is not a bar
        self.assertEqual({bar["name"] for bar in bars if bar["beside"]}, {"cuBLAS"})
        self.assertRegex(figure.rows["called"], r"^wgmma alone \d{3} TFLOP/s$")
        self.assertRegex(figure.title, r"1\.\d\d times as fast$")
        self.assertRegex(figure.description,
                         r"from \d+ \(wgmma\) to \d+ \((ours|clusters)\) TFLOP/s; wgmma alone \d+; NVIDIA H200\.$")  # fmt: skip

    def test_earlier_chapters_are_there_for_comparison(self):
        so_far, again = rung_plots.rungs("05_shuffle").rows["groups"].values()
        self.assertEqual([bar["name"] for bar in so_far + again if not bar["beside"]],
                         ["shuffle", "shuffle", "shuffle, load by load"])  # fmt: skip

    def test_claims_without_a_number_hold(self):
        def groups(chapter):
            found = rung_plots.rungs(chapter).rows["groups"].values()
            return [{bar["name"]: bar["rate"] / bar["limit"] for bar in group} for group in found]

        square, many = groups("02_coalesced")
        self.assertLess(square["coalesced"] / square["global"], 1.5)
        self.assertGreater(many["coalesced"] / many["global"], 4)
        many = groups("03_constant")[1]
        self.assertLess(many["constant"], 1.01 * many["coalesced"])
        for chapter, variant in (("04_shared", "shared, width unknown"), ("05_shuffle", "shuffle, load by load")):
            so_far, again = groups(chapter)
            self.assertLess(again[variant], so_far["coalesced"])
        [sweep, _], [scan, append] = groups("12_stencil"), groups("13_warp")
        self.assertGreater(min(sweep["by fours"], scan["by fours"], append["append by blocks"]), 0.98)
        [memory], [twins] = groups("14_memory"), groups("18_opencl")
        self.assertEqual([choose(memory, key=memory.get) for choose in (min, max)], ["managed", "mapped"])
        for rung, least, most in (("naive", 0.98, 1.02), ("8 x 8", 0.98, 1.03), ("work per item", 0.5, 0.7)):
            self.assertTrue(least < twins[f"OpenCL {rung}"] / twins[f"CUDA {rung}"] < most, rung)

    def test_a_page_shows_its_own_figure_once(self):
        def found(text, chapter="05_shuffle"):
            with tempfile.TemporaryDirectory() as folder:
                page = pathlib.Path(folder) / chapter / "README.md"
                page.parent.mkdir()
                page.write_text(text, encoding="utf-8")
                return list(plots.told(pathlib.Path(folder)))

        own, little, other = (f"![A claim.](../../docs/figures/{name}-nvidia-h200.svg)\n" for name in
                              ("05_shuffle", "sgemv-little", "sgemm-ladder"))  # fmt: skip
        self.assertEqual(found(own + little), [])
        for wrong in (little, own + own, own + other, own.replace("05", "04"), f"In a line: {own[:-1]} ends."):
            self.assertEqual(found(wrong), ["05_shuffle: its page has to show 05_shuffle-nvidia-h200.svg, once, and no "
                                            "other chapter's"])  # fmt: skip
        self.assertEqual(found(other, "09_gemm_unroll"), [])
        self.assertEqual(found(own, "98_made_up"), ["98_made_up: no figure tells its story: add one to rung_plots.py"])


@unittest.skipUnless(matplotlib, "no matplotlib")
class Drawn(unittest.TestCase):
    def test_what_the_repository_keeps_says_what_is_drawn(self):
        for name, figure in plots.kept_figures().items():
            with self.subTest(name):
                kept = (plots.FOLDER / name).read_text(encoding="utf-8")
                self.assertEqual(texts(kept), texts(plots.svg(figure)))

    def test_all_text_is_on_the_page_and_apart(self):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Page

        for figure in [size(each) for each in rung_plots.figures() for size in (lambda wide: wide, for_phones)]:
            with self.subTest(figure.name), matplotlib.rc_context(plots.SETTINGS):
                page = Page(figsize=(figure.width, figure.height))
                pen = FigureCanvasAgg(page).get_renderer()
                figure.draw(page)
                [axes] = page.axes
                boxes = [(text.get_text(), text.get_window_extent(pen)) for text in (*page.texts, *axes.texts)]
                for k, (text, box) in enumerate(boxes):
                    self.assertTrue(0 <= box.x0 and box.x1 <= page.bbox.x1 and 0 <= box.y0, f"{text}: off the page")
                    for other, beside in boxes[k + 1:]:
                        self.assertFalse(box.overlaps(beside), f"{text}, {other}")
                if not figure.name.endswith("-narrow"):
                    self.assertEqual(sum(text.get_weight() == "bold" for text in page.texts), 1, "the claim has a line")


if __name__ == "__main__":
    unittest.main()
