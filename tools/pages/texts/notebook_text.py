"""A page's Markdown as a notebook shows it: without what only the site knows, and with its pictures in it."""

import base64
import html
import re

import places  # noqa: F401

from site_markdown import COMMENT, FENCE, INLINE  # isort: skip (places says where it is)

DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{(?:[^{}]|\{[^{}]*\})*\}")
LANGUAGES = {"cuda": "cpp", "console": "text"}


def pieces(text):
    """The lines of the text, with whether they are code between fences."""
    fence = None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        inside = fence is not None or bool(mark)
        if fence is None and mark:
            fence = mark["fence"]
        elif fence is not None and line.strip() == fence:
            fence = None
        yield line, inside


def sections(page):
    """The page in sections, each a list of its blocks: a paragraph, a list, a table, a question as a whole."""
    parts, blocks, lines, question = [], [], [], False

    def end_block():
        if "".join(lines).strip():
            blocks.append("\n".join(lines).strip("\n"))
        lines.clear()

    for line, code in pieces(page):
        if not code and line.startswith("## "):
            end_block()
            parts.append(blocks[:])
            blocks.clear()
        if not code and line.startswith("<!-- question"):
            end_block()
            question = True
        lines.append(line)
        if not code and line.startswith("<!-- end of question"):
            question = False
            end_block()
        elif not code and not line.strip() and not question:
            end_block()
    end_block()
    return [*parts, blocks]


def chapters_text(blocks):
    """The first words of a page, and what a notebook is."""
    return "\n\n".join(blocks) + ("\n\nThis notebook is the chapter's page and its program. Where the text says "
                                  "`./course run` with options, the cell below does it. The exercises need the "
                                  "course itself.")


def picture(file, words):
    """It is in the text itself, and on white: a notebook's theme need not be the system's."""
    if file.suffix == ".svg":
        svg = DARK.sub("", file.read_text(encoding="utf-8"))
        data, kind = base64.b64encode(svg.encode()).decode(), "svg+xml"
    else:
        data, kind = base64.b64encode(file.read_bytes()).decode(), file.suffix[1:]
    return (f'<img style="background:#fff;max-width:100%" alt="{words}" '
            f'src="data:image/{kind};base64,{data}">')


def markdown(page, text):
    """The text for a cell. Links to other pages become their words: a notebook is read by itself."""

    def inline(match):
        if match.group("image"):
            return picture(page.parent / match["image_target"], html.escape(match["alt"]))
        if match.group("link") and not match["target"].startswith(("http:", "https:")):
            return INLINE.sub(inline, match["link_text"])
        if match.group("link"):
            return f"[{match['link_text']}]({match['target']})"
        for kind, mark in (("strong", "**"), ("em", "*")):
            if match.group(kind):
                return mark + INLINE.sub(inline, match[f"{kind}_text"]) + mark
        return match.group()

    out, plain = [], []

    def end_plain():
        if plain:
            out.append(INLINE.sub(inline, COMMENT.sub("", "\n".join(plain))))
            plain.clear()

    for line, code in pieces(text):
        if not code:
            plain.append(line)
            continue
        end_plain()
        mark = FENCE.match(line)
        if mark and mark["language"] in LANGUAGES:
            line = line.replace(mark["language"], LANGUAGES[mark["language"]], 1)
        out.append(line)
    end_plain()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip("\n")
