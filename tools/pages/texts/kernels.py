"""Writes functions of the chapters' programs into pages.

    python3 tools/pages kernels            brings every listing up to date
    python3 tools/pages kernels --check    changes nothing: the exit status is 1 if one is not what its file says

A function, with the comment above it, is in a page as

    <!-- kernel: global.cu sgemv_global -->
    <!-- end of kernel -->

The file is named as seen from the page. The line above a listing links to its lines in the file and says which they
are; the site puts the numbers beside the lines.
"""

import re
import sys

from places import ROOT, chapter_pages
import site_code

BLOCK = re.compile(r"^(<!-- kernel: (\S+) (\S+) -->\n).*?^(<!-- end of kernel -->)", re.DOTALL | re.MULTILINE)
FIRST_LINE = re.compile(r"^<!-- kernel:", re.MULTILINE)


def pages():
    return [ROOT / "README.md", *chapter_pages(), *sorted(ROOT.glob("docs/*.md")),
            *sorted(ROOT.glob("exercises/*/README.md"))]  # fmt: skip


def listing(page, file, function):
    """What is between the two comments."""
    source = page.parent / file
    if not source.is_file():
        sys.exit(f"kernels: {page.name} shows a function of {file}, which does not exist")
    text = source.read_text(encoding="utf-8")
    place = site_code.find_function(text, function)
    if place is None:
        sys.exit(f"kernels: no function {function} in {file}")
    first, last = place
    lines = text.split("\n")[first - 1:last]
    return (f"`{function}` in [{file}]({file}#L{first}-L{last}), lines {first} to {last}:\n\n"
            "```cuda\n" + "\n".join(lines) + "\n```\n")


def updated(page, text):
    return BLOCK.sub(lambda match: match[1] + listing(page, match[2], match[3]) + match[4], text)


def main(arguments):
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("kernels: want nothing, or --check")
    kernels = stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        here = len(BLOCK.findall(text))
        if here != len(FIRST_LINE.findall(text)):
            sys.exit(f"kernels: {page.relative_to(ROOT)}: a kernel without its end")
        kernels += here
        fresh = updated(page, text)
        if fresh != text:
            stale += 1
            print(f"{page.relative_to(ROOT)}: {'not as in the source' if check else 'rewritten'}")
            if not check:
                page.write_text(fresh, encoding="utf-8")
    print(f"{kernels} kernels, {stale} pages {'stale' if check else 'rewritten'}")
    return 1 if kernels == 0 or (check and stale) else 0
