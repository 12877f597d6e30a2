"""Where things are that pages are made of; brings what other rooms have into reach of an import."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"

sys.dont_write_bytecode = True  # leaves nothing beside the tools
OTHER_ROOMS = ("docs/site", "emulator/evidence/corpus", "emulator/evidence/counters",
               "emulator/tools/benchmarks/checks", "emulator/tools/benchmarks/speed", "emulator/tools/picture", "tools/measure")  # fmt: skip
sys.path += [str(ROOT / room) for room in OTHER_ROOMS]
