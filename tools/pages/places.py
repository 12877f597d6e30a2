"""Where things are that pages are made of; brings what other rooms have into reach of an import."""

import pathlib
import sys

PAGES = pathlib.Path(__file__).resolve().parent
ROOT = PAGES.parents[1]
RESULTS = ROOT / "docs" / "results"


def chapter_pages():
    """The chapters' pages, and what is beside them for whoever wants more: README.md and more.md of each."""
    return sorted(ROOT.glob("chapters/*/*.md"))


sys.dont_write_bytecode = True  # leaves nothing beside the tools
ROOMS = ("tables", "figures", "pictures", "texts")
OTHER_ROOMS = ("docs/site", "emulator/evidence/corpus", "emulator/evidence/counters", "emulator/tests",
               "emulator/tools/benchmarks/checks", "emulator/tools/benchmarks/speed", "emulator/tools/picture",
               "tools/measure", "tools/measure/counters", "tools/measure/results")  # fmt: skip
sys.path += [str(PAGES / room) for room in ROOMS] + [str(ROOT / room) for room in OTHER_ROOMS]
