#!/usr/bin/env python3
"""Every page of the repository as GitHub renders it: github_test.py [--self-test]

Needs cmark-gfm (on Debian or Ubuntu: apt-get install cmark-gfm), the renderer that GitHub's is made of; without it the
test is skipped. --self-test shows that each kind of fault is found.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
PLACES = ("kernel", "results", "predictions", "goals", "cpu", "instructions", "counters", "cost", "checks", "speed",
          "sanitizers", "finding", "mistakes", "exercises", "notes", "listing", "list", "question")  # fmt: skip
OPENS = re.compile(rf"^<!-- ({'|'.join(PLACES)}):? (?!-->)", re.MULTILINE)
CODE = re.compile(r"<pre>.*?</pre>|<pre lang.*?</pre>|<code>.*?</code>|<pre .*?</pre>", re.DOTALL)

ONLY_ON_THE_SITE = ("docs/site/home.md", "docs/site/api.md")


def rendered(text):
    extensions = [part for name in ("table", "strikethrough", "autolink", "tagfilter") for part in ("-e", name)]
    return subprocess.run(["cmark-gfm", "--unsafe", *extensions], input=text, capture_output=True, text=True,
                          check=True).stdout


def empty_places(text, html):
    """Where a comment promises something that GitHub would not show."""
    outside = re.sub(r"^(?: *```.*?^ *```|    [^\n]*)$", "", text, flags=re.DOTALL | re.MULTILINE)
    for match in OPENS.finditer(outside):
        kind = match[1]
        end = outside.find(f"<!-- end of {kind} -->", match.end())
        if end < 0:
            yield f"an empty place: {kind} without an end, so nothing stands there"
    for match in re.finditer(rf"<!-- ({'|'.join(PLACES)})[: ].*?<!-- end of \1 -->", html, re.DOTALL):
        if not re.search(r"<(?:pre|table|img|details)\b", match[0]):
            yield f"an empty place: {match[0].partition('-->')[0]}"
    if html.count("<details>") != html.count("</details>") or html.count("<summary>") != html.count("<details>"):
        yield "<details>, <summary> and </details> do not pair"


def raw_marks(html):
    """Marks of Markdown that are read as text."""
    shown = re.sub(r"<[^>]+>", " ", CODE.sub(" ", COMMENT.sub(" ", html)))
    for mark in re.findall(r"\*\*|```|\]\([^)\s]+\)|<!--|\|\s*-{3,}|!\[|&lt;/?(?:details|summary)", shown):
        yield f"a raw mark shows: {mark}"


def accidental_lists(text, html):
    """A number at the start of a line that GitHub takes for a list."""
    for start in re.findall(r'<ol start="(\d+)"', html):
        yield f"'{start}.' at the start of a line is read as a list"
    seen = {"0"}
    for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE):  # within a paragraph the site's Markdown takes it for one
        if str(int(number) - 1) not in seen:
            yield f"'{number}.' at the start of a line is read as a list"
        seen.add(number)


def broken_links(page, html):
    for target in re.findall(r'(?:href|src|srcset)="([^"]+)"', CODE.sub(" ", html)):
        path = urllib.parse.unquote(target.partition("#")[0])
        if path and not re.match(r"[a-z]+:", path) and not (page.parent / path).exists():
            yield f"a link to {target}, which does not exist"


def faults(page, text):
    html = rendered(text)
    yield from empty_places(text, html)
    yield from raw_marks(html)
    yield from accidental_lists(text, html)
    yield from broken_links(page, html)


WRONG = {
    "an empty place": "<!-- results: a -->\n<!-- end of results -->\n",
    "without an end": "<!-- kernel: a.cu a -->\n\nText.\n",
    "do not pair": "<details>\n\nText.\n",
    "a raw mark shows: **": "This is ** not strong **.\n",
    "is read as a list": "The number of them was\n\n50. That is many.\n",
    "which does not exist": "[here](nowhere.md)\n",
}


def main(arguments):
    if shutil.which("cmark-gfm") is None:
        print("SKIPPED: no cmark-gfm, which renders pages as GitHub does (apt-get install cmark-gfm)")
        return 77
    if arguments == ["--self-test"]:
        missed = [said for said, text in WRONG.items()
                  if not any(said in fault for fault in faults(ROOT / "README.md", text))]
        print("\n".join(f"not found: {said}" for said in missed) or f"{len(WRONG)} faults found")
        return 1 if missed else 0
    pages = sorted(path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts
                   and path.relative_to(ROOT).as_posix() not in ONLY_ON_THE_SITE)
    said = [f"{page.relative_to(ROOT)}: {fault}" for page in pages
            for fault in faults(page, page.read_text(encoding="utf-8"))]
    print("\n".join([*said, f"{len(pages)} pages, {len(said)} faults"]))
    return 1 if said or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
