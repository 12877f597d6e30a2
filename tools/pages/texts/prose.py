"""Reads what pages say in their own words, and holds it to four rules.

    python3 tools/pages prose            the exit status is 1 if a page breaks one
    python3 tools/pages prose --words    how long the chapters' pages are

- From 1,000 on a number has commas between thousands, also in shapes (4,096 × 4,096). Code, links, years and names stay
  as they are.
- In chapters and exercises no measured figure is typed. A time, a rate or a share with decimals is in a table of
  the page, is the answer to a question, or is held (questions.py); a paragraph with figures of others names them, by a
  year.
- A chapter's page has at most 2,500 words of prose, 5 tables, and 6,000 words in all. What is beyond that goes into
  more.md, beside it.
- What docs/style.md has another way to say is not said.
"""

import re
import sys

from places import ROOT, chapter_pages

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

LIMITS = {"words of prose": 2500, "tables": 5, "words": 6000}
# What docs/style.md replaces, as far as a pattern can tell, and what is there for it.
REPLACED = {
    "a sentence without a subject": r"(?:^|(?<=[.:;!?] ))(?:(?:So|But|And|For) )?[Ww]ho(?:ever)? (?!else)[^.?!:;]+[.!:;]",
    "'too' at the end": r", too(?=[ .:;,)])(?! (?:much|many|small|large|long|short|late|few|little))",
    "'for ever'": r"\bfor ever\b",
    "'anew'": r"\banew\b",
    "'at hand'": r"\bat hand\b",
    "'so many'": r"\bso many(?:-th)?\b",
    "'another one'": r"\b(?:is|are|was|were) another one\b",
    "'is none'": r"\b(?:is|are|was|were) none\b",
    "'inside of'": r"\binside of\b",
    "'outside of'": r"\boutside of\b",
    "'sees to it'": r"\bse(?:es?|en) to it\b",
    "'that is since'": r"\bthat is since\b",
    "'lie'": r"\b(?:lies?|lay) (?!ahead)",
    "'one would'": r"\bone (?:would|could|can|may|has to|wants|expects|sees|should|must|might)\b(?! (?:have|be)\b)",
    "'that which'": r"\bthat which\b",
    "'behind' for 'after'": r"\b(?:bits|bytes|floats|words) behind\b|\bone behind the other\b",
    "'stand' for 'be'": r"\b(?:may|each|what) stands?\b|\bstands? (?:in the (?:page|line)|at the (?:end|start))\b",
    "'stands in' for 'is in'":
        r"\b(?:stands?|stood) (?:in(?! for\b| line\b)|before|behind|beside|below|above|between|there)\b",
    "'a line a kernel'":
        r"\ba (?:line|run|bit|byte|number|launch) an? (?:kernel|line|launch|thread|block|warp|lane|row|case)\b",
    "'is no' for 'is not a'":
        r"(?<![Tt]here )\b(?:is|are) no (?:multiple|error|barrier|kernel|number|part|fault)s?\b",
    "'is told'": r"\b(?:is|are) told (?:by|of|as)\b",
    "'other ones than'": r"\bother ones? than\b",
    "'kin'": r"\band (?:its |their )?kin\b",
    "'worth to'": r"\bworth to [a-z]",
    "'taken care that'": r"\btaken care (?:that|of)\b",
    "'beside' for 'outside' or 'compared with'":
        r"\b(?:nothing|anything|memory|much|little|touched|written|reads?|writes?) beside\b",
}
NO_PROSE = [re.compile(r"<details>.*?</details>", re.DOTALL), re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE),
            re.compile(r"<!--.*?-->", re.DOTALL), re.compile(r"^\|.*$", re.MULTILINE),
            re.compile(r"\]\([^)]*\)")]  # fmt: skip


def words(text):
    """A page without what a tool wrote or what is not prose. A question is prose, but for its comments."""
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


def lengths(text):
    """How long a chapter's page is, by the names of LIMITS. Neither listings, tables nor answers are prose; captions are,
    and so is what a picture says to those who hear it."""
    shown = re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL)
    tables = len(re.findall(r"^\|[ :|-]*-[ :|-]*\|$", shown, re.MULTILINE))
    total = len(shown.split())
    for pattern in NO_PROSE:
        text = pattern.sub(" ", text)
    return dict(zip(LIMITS, (len(text.split()), tables, total), strict=True))


def too_long(page, text):
    """What of a chapter's page is beyond its limits: lines."""
    for what, long in lengths(text).items():
        if long > LIMITS[what]:
            yield f"{page}: {long:,} {what}: at most {LIMITS[what]:,}"


def old_words(page, text):
    """What docs/style.md replaces: lines."""
    shown = re.sub(r"\s+", " ", re.sub(r"^#+ .*$", "", words(text), flags=re.MULTILINE))
    for name, pattern in REPLACED.items():
        for match in re.finditer(pattern, shown):
            around = shown[max(0, match.start() - 30):match.end() + 30][:120]
            yield f"{page}: {name} (docs/style.md): …{around}…"


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
    chapters = sorted(ROOT.glob("chapters/*/README.md"))
    if arguments == ["--words"]:
        for page in chapters:
            counts = ", ".join(f"{long:,} {what}" for what, long in lengths(page.read_text(encoding="utf-8")).items())
            print(f"{page.parent.name}: {counts}")
        return 0
    if arguments:
        sys.exit("prose: wants nothing, or --words")
    measured = [*chapter_pages(), *ROOT.glob("exercises/*/README.md")]
    pages = [*sorted(measured), *sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"]
    said = [line for page in pages
            for line in problems(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"), page in measured)]
    said += [line for page in chapters
             for line in too_long(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))]
    read = {*pages, *ROOT.glob("exercises/**/*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md"),
            ROOT / "CONTRIBUTING.md"}  # fmt: skip
    said += [line for page in sorted(read) if page.name != "style.md"
             for line in old_words(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))]
    print("\n".join([*said, f"{len(pages)} pages, {len(said)} problems"]))
    return 1 if said or not pages else 0
