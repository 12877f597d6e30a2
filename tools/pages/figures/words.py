"""Gives the plots in the pages their words, for those who hear a page: the title and the description in the SVG.

    python3 tools/pages words            brings every page up to date
    python3 tools/pages words --check    changes nothing: the exit status is 1 if a page is not up to date

What a plot shows changes with the results. The words of other pictures are the page's own.
"""

import re
import sys
from xml.etree import ElementTree

from places import ROOT, chapter_pages

PICTURE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", re.MULTILINE)


def pages():
    return [ROOT / "README.md", ROOT / "emulator" / "README.md", *chapter_pages(),
            *sorted(ROOT.glob("docs/*.md"))]  # fmt: skip


def words_of(file):
    """What a plot of results says of itself; None for other pictures, which the pages describe."""
    if file.parent.name != "figures" or not file.is_file():
        return None
    root = ElementTree.parse(file).getroot()
    return " ".join(". ".join(root.findtext("{http://www.w3.org/2000/svg}" + tag) for tag in ("title", "desc")).split())


def written(page, old, target):
    """A picture, `old` in the page, as it has to be there."""
    own = words_of(page.parent / target)
    return f"![{own}]({target})" if own else old


def updated(page, text):
    return PICTURE.sub(lambda found: written(page, *found.group(0, 2)), text)


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("words: want nothing, or --check")
    plots = stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        fresh = updated(page, text)
        plots += len(re.findall(r"^!\[[^\]]*\]\([^)\s]*figures/", fresh, re.MULTILINE))
        if fresh != text:
            stale += 1
            print(f"{page.relative_to(ROOT)}: {'not up to date' if check else 'rewritten'}")
            if not check:
                page.write_text(fresh, encoding="utf-8")
    print(f"{plots} plots in the pages, {stale} pages {'stale' if check else 'rewritten'}")
    return 1 if plots == 0 or (check and stale) else 0
