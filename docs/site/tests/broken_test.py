#!/usr/bin/env python3
"""Proves that the checks of site_test.py see: each is run on copies of the site that are broken in a known way, and
must say so.

    broken_test.py --site FOLDER --out FOLDER [--only NAME]

What is broken is mostly added at the end of a style sheet or at the start of the first script, so that it stays broken
however the site's own code changes."""

import pathlib
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import broken_looks  # noqa: E402
import broken_use  # noqa: E402
import browser  # noqa: E402
import site_test  # noqa: E402
from site_copy import Copy  # noqa: E402

BROKEN = {
    "chapters-in-order": [broken_use.skips_a_chapter, broken_use.has_no_way_back],
    "chapter-contents": [broken_use.has_poor_chapters],
    "search": [broken_use.finds_other_pages, broken_use.marks_nothing, broken_use.searches_from_home_only],
    "search-names": [broken_use.forgets_names],
    "search-keyboard": [broken_use.knows_no_slash, broken_use.knows_few_keys],
    "search-kindly": [broken_use.forgives_nothing],
    "way": [broken_use.knows_no_way],
    "previews": [broken_use.explains_nothing],
    "whole-course": [broken_use.lacks_the_pdf, broken_use.has_a_thin_pdf],
    "questions": [broken_use.takes_any_answer],
    "progress": [broken_use.keeps_no_progress, broken_use.erases_nothing],
    "theme": [broken_looks.forgets_the_theme, broken_looks.has_one_theme, broken_looks.ignores_the_system],
    "small-screen": [broken_looks.has_no_menu, broken_looks.has_a_menu_that_stays, broken_looks.has_its_menu_open],
    "contrast": [broken_looks.is_pale],
    "print": [broken_looks.prints_its_frame],
    "screenshots": [broken_looks.is_empty],
    "readable": [broken_looks.is_drawn_small, broken_looks.cuts_pictures],
    "enlarging": [broken_looks.enlarges_nothing],
    "copying": [broken_use.copies_all],
    "without-scripts": [broken_use.has_dead_buttons],
    "explorer": [broken_use.explores_nothing, broken_use.explores_otherwise],
    "accessible": [broken_looks.is_for_few],
    "narrow": [broken_looks.is_wide],
    "pictures": [broken_looks.lacks_a_picture],
    "links": [broken_use.leads_nowhere],
    "repository-files": [broken_use.names_what_is_gone],
    "console": [broken_use.complains],
    "offline": [broken_use.asks_elsewhere],
}


def main():
    options = site_test.parser()
    options.add_argument("--only", choices=BROKEN, metavar="NAME", help="the copies for this check alone")
    arguments = options.parse_args()
    site_test.enter(arguments.venv)
    found, missing = site_test.needs(arguments)
    if missing:
        return site_test.skip(missing)
    status = site_test.build(arguments.site, arguments.source)
    if status:
        return status if status == site_test.SKIPPED else 1
    blind = sorted(set(site_test.CHECKS) ^ set(BROKEN))
    passed, failed = 0, len(blind)
    for name in blind:
        print(f"FAILED  {name} is never shown a broken site, or is no check")
    playwright, program = found
    arguments.out.mkdir(parents=True, exist_ok=True)
    with playwright() as driver, tempfile.TemporaryDirectory(dir=arguments.out) as folder:
        site = browser.Site(arguments.site, arguments.source)
        chromium = browser.Browser(driver, program)
        for name, ways in BROKEN.items():
            for way in ways if arguments.only in (None, name) else []:
                began = time.monotonic()
                copy = Copy(site, pathlib.Path(folder) / way.__name__)
                wanted = way(copy)
                chromium.errors.clear()
                chromium.requests.clear()
                problems = site_test.check(name, site_test.Run(copy, chromium, copy.folder / "pictures", [name]))
                unseen = [text for text in wanted if not any(text in problem for problem in problems)]
                failed += bool(unseen)
                passed += not unseen
                title = f"{name}: a site that {way.__name__.replace('_', ' ')}"
                print(f"{'FAILED' if unseen else 'ok':6}  {title}  ({time.monotonic() - began:.1f} s)", flush=True)
                for text in unseen:
                    print(f"        not said: {text}")
                for problem in problems[:12] if unseen else []:
                    print(f"        said: {problem}")
                shutil.rmtree(copy.folder)
        chromium.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
