"""Gives phones the pictures that are drawn for them, and the plots their words.

    python3 tools/pages phones            brings every page up to date
    python3 tools/pages phones --check    changes nothing: the exit status is 1 if a page is not up to date

A picture is written into a page as Markdown has it, ![words](../../docs/pictures/strips.svg). Where strips-narrow.svg
lies beside it, this makes of it

    <picture>
    <source media="(max-width: 599px)" srcset="../../docs/pictures/strips-narrow.svg">
    <img src="../../docs/pictures/strips.svg" alt="words">
    </picture>

of which phones show the first, on GitHub and on the site. The words stay those of the page, but for the plots of
results: what these show changes with the results, and so their words are their SVG's title and description.
"""

import html
import posixpath
import re
import sys
from xml.etree import ElementTree

from places import ROOT

import site_markdown  # isort: skip (places says where it is)

MARKDOWN = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", re.MULTILINE)
WIDEST = 599  # pixels, as in the site's style sheets


def pages():
    return [ROOT / "README.md", ROOT / "emulator" / "README.md", *sorted(ROOT.glob("chapters/*/README.md")),
            *sorted(ROOT.glob("docs/*.md"))]  # fmt: skip


def words_of(file):
    """What a plot of results says of itself; None for other pictures, which the pages describe."""
    if file.parent.name != "figures" or not file.is_file():
        return None
    root = ElementTree.parse(file).getroot()
    return ". ".join(root.findtext("{http://www.w3.org/2000/svg}" + tag) for tag in ("title", "desc"))


def written(page, old, words, target):
    """A picture, `old` in the page, as it has to stand there."""
    path, suffix = posixpath.splitext(target)
    narrow = f"{path}-narrow{suffix}"
    own = words_of(page.parent / target)
    if not (page.parent / narrow).is_file():
        return f"![{own}]({target})" if own else old
    words = html.escape(" ".join((own or words).split()), quote=False).replace('"', "&quot;")
    return (f'<picture>\n<source media="(max-width: {WIDEST}px)" srcset="{narrow}">\n'
            f'<img src="{target}" alt="{words}">\n</picture>')


def updated(page, text):
    text = site_markdown.ELEMENT.sub(lambda found: f"![{html.unescape(found['words'])}]({found['target']})", text)
    return MARKDOWN.sub(lambda found: written(page, *found.group(0, 1, 2)), text)


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("phones: want nothing, or --check")
    pictures = stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        fresh = updated(page, text)
        pictures += fresh.count("<picture>")
        if fresh != text:
            stale += 1
            print(f"{page.relative_to(ROOT)}: {'not up to date' if check else 'rewritten'}")
            if not check:
                page.write_text(fresh, encoding="utf-8")
    print(f"{pictures} pictures drawn for phones, too; {stale} pages {'stale' if check else 'rewritten'}")
    return 1 if pictures == 0 or (check and stale) else 0
