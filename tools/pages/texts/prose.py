"""Reads what pages say in their own words, and holds it to two rules.

    python3 tools/pages prose    the exit status is 1 if a page breaks one

- From 1,000 on a number has commas between thousands, in shapes (4,096 × 4,096), too. Code, links, years and names stay
  as they are.
- In chapters and exercises no measured figure is typed. A time, a rate or a share with decimals stands in a table of
  the page, is the answer to a question, or is held (questions.py); a paragraph with figures of others names them, by a
  year.
"""

import re
import sys

from places import ROOT

WRITTEN = re.compile(r"^<!-- (\w+): [^>]*? -->\n.*?^<!-- end of \1 -->$", re.DOTALL | re.MULTILINE)
# A plot, whose words come from its figures.
DRAWN = re.compile(r"^!\[[^\]]*\]\([^)\s]*/docs/figures/[^)\s]*\)$", re.MULTILINE)
NOT_WORDS = [re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE), re.compile(r"<!--.*?-->", re.DOTALL),
             re.compile(r"`[^`]*`", re.DOTALL), re.compile(r"\]\([^)]*\)"), re.compile(r"https?://\S+")]  # fmt: skip
LONG = re.compile(r"(?<![\w.,/#×\"-])\d{4,}(?![\w-])|(?<=× )\d{4,}(?![\w-])")
YEAR = re.compile(r"(?:19\d|20[0-3])\d")
MEASURED = re.compile(r"(?<![\w.,])(?:(\d[\d,]*(?:\.\d+)?) (ms|µs|ns|[GT]B/s|[GT]FLOP/s)(?!\w)"
                      r"|(\d+\.\d+) (?:%|per cent))")  # fmt: skip
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
OTHERS = re.compile(r"\b20[01]\d\b|published|theoretical")


def words(text):
    """A page without what a tool wrote or what is no prose. A question is prose, but for its comments."""
    text = WRITTEN.sub(lambda block: block[0] if block[1] == "question" else "", text)
    text = DRAWN.sub("", text)
    for pattern in NOT_WORDS:
        text = pattern.sub(lambda found: "\n" * found[0].count("\n") + " ", text)
    return text


def value(text):
    return float(text.replace(",", ""))


def held(text):
    """The numbers that a test holds: those of tables, answers, and `held:`."""
    tables = "\n".join(block[0] for block in WRITTEN.finditer(text) if block[1] not in ("question", "kernel"))
    marks = re.findall(r"^<!-- (?:question: [^;\n]+; answer|held): ([\d.,]*\d)", text, re.MULTILINE)
    return [value(number) for number in NUMBER.findall(tables) + marks]


def problems(page, text, measured=True):
    """What breaks a rule: lines. The second rule holds only for a page of what was `measured`."""
    shown = words(text)
    for number in LONG.findall(shown):
        if not YEAR.fullmatch(number):
            yield f"{page}: {number}: write {int(number):,}"
    if not measured:
        return
    known = held(text)
    for paragraph in re.split(r"\n\s*\n", shown):
        paragraph = re.sub(r"\s+", " ", paragraph)
        for match in MEASURED.finditer("" if OTHERS.search(paragraph) else paragraph):
            figure = match[1] or match[3]
            near = 0.5 * 10.0 ** -len(figure.partition(".")[2]) + 1e-9
            scales = (1, 1000) if (match[2] or "").startswith("T") else (1,)  # tables have GB/s and GFLOP/s
            if not any(abs(value(figure) - number / scale) <= near for number in known for scale in scales):
                yield f"{page}: {match[0]}: no table of the page has it, no answer, and nothing holds it"


def main(arguments):
    if arguments:
        sys.exit("prose: wants no arguments")
    measured = [*ROOT.glob("chapters/*/README.md"), *ROOT.glob("exercises/*/README.md")]
    pages = [*sorted(measured), *sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"]
    said = [line for page in pages
            for line in problems(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"), page in measured)]
    print("\n".join([*said, f"{len(pages)} pages, {len(said)} problems"]))
    return 1 if said or not pages else 0
