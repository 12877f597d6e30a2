#!/usr/bin/env python3
"""Reads the built site as a reader would, in a browser, over file://.

    site_test.py --site FOLDER --out FOLDER [--only NAME] [--pages every|some] [--draw K/N]

The browser is the system's Chromium; Playwright, which drives it, is a package of PyPI that prepare.py puts into an
environment of its own (--venv). Without one of them the tests are skipped: exit status 77."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import axe_checks  # noqa: E402
import browser  # noqa: E402
import explorer_checks  # noqa: E402
import page_checks  # noqa: E402
import phone_checks  # noqa: E402
import progress_checks  # noqa: E402
import reading_checks  # noqa: E402
import search_checks  # noqa: E402
import visits  # noqa: E402
import way_checks  # noqa: E402

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[3]
# Checks of every page, which is opened once for all of them: what each looks at there.
LOOKS = {
    "chapters-in-order": reading_checks.IN_ORDER,
    "chapter-contents": reading_checks.HAS_CONTENTS,
    "pictures": page_checks.PICTURES,
    "accessible": axe_checks.LOOKS,
    "narrow": page_checks.NARROW,
    "readable": phone_checks.READABLE,
    "console": page_checks.OPENED,
    "offline": page_checks.OPENED,
}
CHECKS = {
    "chapters-in-order": reading_checks.chapters_in_order,
    "chapter-contents": reading_checks.chapter_contents,
    "search": search_checks.search,
    "search-names": search_checks.search_names,
    "search-keyboard": search_checks.search_keyboard,
    "search-kindly": way_checks.search_kindly,
    "way": way_checks.way,
    "previews": way_checks.previews,
    "whole-course": way_checks.whole_course,
    "questions": progress_checks.questions,
    "progress": progress_checks.progress,
    "theme": reading_checks.theme,
    "small-screen": reading_checks.small_screen,
    "contrast": reading_checks.contrast,
    "print": reading_checks.paper,
    "screenshots": reading_checks.screenshots,
    "readable": phone_checks.readable,
    "enlarging": phone_checks.enlarging,
    "copying": phone_checks.copying,
    "without-scripts": phone_checks.without_scripts,
    "explorer": explorer_checks.explorer,
    "accessible": axe_checks.accessible,
    "narrow": page_checks.narrow,
    "pictures": page_checks.pictures,
    "links": page_checks.links,
    "repository-files": page_checks.repository_files,
    # Last, since they also tell what the other checks have met.
    "console": page_checks.console,
    "offline": page_checks.offline,
}


class Run:
    """What the checks share; `names` are those of the checks, `draw` which pages the longest ones look at."""

    def __init__(self, site, chromium, out, names, draw=None):
        self.site, self.browser, self.out, self.names, self.draw = site, chromium, out, names, draw
        self.visited = self.readers = None

    def seen(self, name):
        """What a check of every page has seen: page -> what was found at each size."""
        if self.visited is None:
            self.visited = visits.visit(self.browser, self.site,
                                        {one: look for one, look in LOOKS.items() if one in self.names},
                                        self.draw, axe_checks.kinds(self.site))
        return self.visited[name]


def check(name, run):
    """The problems that a check finds; one that breaks down has also found one."""
    try:
        return CHECKS[name](run)
    except Exception as error:  # a selector that no longer matches, a time-out: reported, and the others go on
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return [f"the check broke down: {type(error).__name__}: {' | '.join(lines[:4])}"]


def tell(name, problems, began):
    print(f"{'FAILED' if problems else 'ok':6}  {name}  ({time.monotonic() - began:.1f} s)", flush=True)
    for problem in problems[:25]:
        print(f"        {problem}")
    if len(problems) > 25:
        print(f"        and {len(problems) - 25} more")


def skip(reason):
    print(f"SKIPPED: {reason}")
    return SKIPPED


def enter(folder):
    """Goes on with the Python of an environment, if it is there and not this one."""
    if folder and (folder / "bin/python").exists() and pathlib.Path(sys.prefix).resolve() != folder.resolve():
        python = str(folder / "bin/python")
        os.execv(python, [python, "-B", *sys.argv])


def build(site, source):
    """Builds the site if it is not there. 0, or the status to end with."""
    if (site / "index.html").is_file():
        return 0
    return subprocess.run([sys.executable, "-B", str(source / "docs/site/build_site.py"), "--source", str(source),
                           "--out", str(site), "--may-skip"]).returncode


def needs(arguments):
    """(sync_playwright, path of Chromium), or the line that says what is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None, "Playwright is not here (docs/site/tests/prepare.py build/emulator/site-venv)"
    program = browser.find_chromium(arguments.chromium)
    if not program:
        return None, "Chromium is not here (Debian: chromium)"
    return (sync_playwright, program), ""


def drawn(text):
    """(turn, turns) of K/N."""
    turn, turns = (int(number) for number in text.split("/"))
    if not 0 <= turn < turns:
        raise ValueError
    return turn, turns


def parser():
    options = argparse.ArgumentParser(description="Tests of the built site in a browser.")
    options.add_argument("--site", required=True, type=pathlib.Path, help="the folder of the site; built if missing")
    options.add_argument("--out", required=True, type=pathlib.Path, help="the folder for screenshots")
    options.add_argument("--source", type=pathlib.Path, default=ROOT, help="the checkout that the site is made from")
    options.add_argument("--venv", type=pathlib.Path, help="a Python environment that has Playwright")
    options.add_argument("--chromium", help="the browser's program")
    return options


def main():
    options = parser()
    options.add_argument("--only", action="append", choices=CHECKS, metavar="NAME",
                         help=f"this check alone; more than once for several: {', '.join(CHECKS)}")
    options.add_argument("--pages", choices=("every", "some"),
                         help="the checks that look at every page, or those that look at some")
    options.add_argument("--draw", type=drawn, metavar="K/N",
                         help="axe looks at one page in N and one of each kind; K, from 0, says at which ones")
    arguments = options.parse_args()
    enter(arguments.venv)
    found, missing = needs(arguments)
    if missing:
        return skip(missing)
    status = build(arguments.site, arguments.source)
    if status:
        return status if status == SKIPPED else 1
    start, failed = time.monotonic(), []
    names = [name for name in CHECKS if (not arguments.only or name in arguments.only)
             and arguments.pages in (None, "every" if name in LOOKS else "some")]
    playwright, program = found
    with playwright() as driver:
        run = Run(browser.Site(arguments.site, arguments.source), browser.Browser(driver, program), arguments.out,
                  names, arguments.draw)
        for name in names:
            began = time.monotonic()
            problems = check(name, run)
            tell(name, problems, began)
            failed += [name] if problems else []
        if "console" not in names:  # what the checks have met counts all the same
            met = page_checks.complaints(run.browser) + page_checks.requests(run.browser)
            if met:
                tell("met meanwhile", met, start)
                failed.append("met meanwhile")
        run.browser.close()
    print(f"{len(names) - len(set(failed) & set(names))} passed, {len(failed)} failed")
    print(f"{len(run.site.pages)} pages, {time.monotonic() - start:.0f} s"
          + (f"; screenshots in {arguments.out}" if "screenshots" in names else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
