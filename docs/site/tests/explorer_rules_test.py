#!/usr/bin/env python3
"""Holds the rules of the site's access explorer against the emulator's, on random accesses.

    explorer_rules_test.py --program random_accesses [--count N]

The accesses and their counts are the emulator's own (random_accesses.cpp); docs/site/theme/access_rules.js counts them
again in a browser. Without Chromium or Playwright: SKIPPED, exit status 77."""

import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import site_test  # noqa: E402

RULES = pathlib.Path(__file__).resolve().parents[1] / "theme/access_rules.js"
COUNT_AGAIN = """(all) => all.map(({ lanes, bytes, store }) => {
  const global = CourseAccess.globalCost(lanes, bytes), shared = CourseAccess.sharedCost(lanes, bytes, store === 1);
  return [global.sectors, global.ideal, shared.wavefronts, shared.conflicts];
})"""
COUNTS = ("sectors", "ideal", "wavefronts", "conflicts")


def main():
    parser = argparse.ArgumentParser(description="Compares the explorer's counts with the emulator's.")
    parser.add_argument("--program", required=True, help="random_accesses, built")
    parser.add_argument("--count", default=10000, type=int, help="how many accesses (10000)")
    parser.add_argument("--venv", type=pathlib.Path, help="a Python environment that has Playwright")
    parser.add_argument("--chromium", help="the browser's program")
    arguments = parser.parse_args()
    site_test.enter(arguments.venv)
    found, missing = site_test.needs(arguments)
    if missing:
        return site_test.skip(missing)
    lines = subprocess.run([arguments.program, str(arguments.count)], capture_output=True, text=True, check=True).stdout
    accesses = [json.loads(line) for line in lines.splitlines()]
    playwright, program = found
    with playwright() as driver:
        chromium = site_test.browser.Browser(driver, program)
        with chromium.page() as page:
            page.add_script_tag(path=RULES)
            counted = page.evaluate(COUNT_AGAIN, accesses)
        chromium.close()
    wrong = [(access, ours) for access, ours in zip(accesses, counted) if [access[name] for name in COUNTS] != ours]
    for access, ours in wrong[:5]:
        print(f"{'store' if access['store'] else 'load'} of {access['bytes']} bytes per lane at {access['lanes']}:")
        print(", ".join(f"{name} {access[name]}, the explorer says {mine}" for name, mine in zip(COUNTS, ours)))
    conflicts = sum(access["conflicts"] > 0 for access in accesses)
    print(f"{len(accesses)} accesses, {conflicts} with bank conflicts: {len(wrong)} counted otherwise")
    return 1 if wrong or len(accesses) != arguments.count or not conflicts else 0


if __name__ == "__main__":
    sys.exit(main())
