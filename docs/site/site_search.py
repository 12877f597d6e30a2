"""The index for the search: one .js file, so that it works from file:// as well.

It holds the sections of all pages, for each word (its stem) where it is: section, positions; and for each term of
the glossary the section that explains it.
docs/site/theme/search.js reads it; stem() and the pattern of a word must be the same there."""

import html.parser
import json
import re

import site_glossary

WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*_*", re.U)
SKIPPED = {"script", "style", "nav", "button", "svg"}
BLOCKS = {"p", "li", "td", "th", "tr", "pre", "div", "h1", "h2", "h3", "h4", "br", "summary", "figcaption", "dt", "dd"}


def stem(word):
    """A word without its ending, roughly: coalesced, coalescing and coalesce are the same."""
    word = word.lower()
    if not re.fullmatch(r"[a-z]+", word) or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word[:-len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and re.search(r"[aeiouy]", rest):
            word = rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


class Sections(html.parser.HTMLParser):
    """The text of a page, cut at its headings."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.sections = [["", "", []]]  # heading, anchor, pieces of text
        self.skip = 0
        self.in_heading = None
        self.last_id = ""
        self.stack = []

    def handle_starttag(self, tag, attributes):
        if tag in ("br", "img", "source", "hr", "input", "meta", "link", "wbr"):
            self.sections[-1][2].append(" ")
            return
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        skipped = tag in SKIPPED or "heading-link" in classes or "permalink" in classes
        skipped |= tag == "td" and "num" in classes  # nobody looks for a time, and excerpts were full of them
        self.stack.append((tag, skipped))
        self.skip += skipped
        if tag == "a" and attributes.get("id"):
            self.last_id = attributes["id"]
        if tag in ("h1", "h2", "h3") and (tag == "h1" or attributes.get("id") or "memtitle" in classes):
            anchor = attributes.get("id") or (self.last_id if "memtitle" in classes else "")
            self.in_heading = tag
            self.sections.append(["", anchor, []])
        elif tag in BLOCKS:
            self.sections[-1][2].append(" ")

    def handle_endtag(self, tag):
        while self.stack:
            open_tag, skipped = self.stack.pop()
            self.skip -= skipped
            if open_tag == tag:
                break
        if tag == self.in_heading:
            self.in_heading = None
        if tag in BLOCKS:
            self.sections[-1][2].append(" ")

    def handle_data(self, data):
        if self.skip:
            return
        if self.in_heading:
            self.sections[-1][0] += data
        else:
            self.sections[-1][2].append(data)


def write_index(path, pages):
    """`pages`: (title, url, kind, HTML of the content)."""
    page_rows, sections, terms = [], [], {}
    for title, url, kind, content in pages:
        parser = Sections()
        parser.feed(content)
        parser.close()
        page_rows.append([title, url, kind])
        for heading, anchor, pieces in parser.sections:
            text = re.sub(r"\s+", " ", "".join(pieces)).strip()
            heading = re.sub(r"\s+", " ", heading).strip()
            if not text and not heading:
                continue
            number = len(sections)
            sections.append([len(page_rows) - 1, heading, anchor, text])
            for position, match in enumerate(WORD.finditer(f"{heading} {text}")):
                word = match.group().lower()
                names = {stem(word)}
                if "_" in word:
                    names.update(stem(part) for part in word.split("_") if part)
                for name in names:
                    terms.setdefault(name, {}).setdefault(number, []).append(position)
    explained = {}
    where = {}
    for number, (page, _, anchor, _) in enumerate(sections):
        where.setdefault((page_rows[page][1], anchor), number)
    for _, _, kind, content in pages:
        if kind == "glossary":
            for term, link in site_glossary.explained(content):
                section = where.get(tuple((link + "#").split("#")[:2]))
                if section is not None:
                    explained[" ".join(stem(word) for word in WORD.findall(term))] = section
    packed = {word: ";".join(f"{number}:{','.join(map(str, at))}" for number, at in sorted(places.items()))
              for word, places in sorted(terms.items())}
    data = json.dumps({"pages": page_rows, "sections": sections, "terms": packed, "explained": explained},
                      ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"window.COURSE_SEARCH = {data};\n", encoding="utf-8")
    return len(sections), len(terms)
