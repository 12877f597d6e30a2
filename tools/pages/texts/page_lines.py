"""Lines of at most 120 columns, of which a change touches few."""

import re

WIDEST = 120  # columns
MARKS_ROOM = 4  # columns, for what may not begin a line
LONG_ENOUGH = 60  # columns, after which a line ends where the next names are of another kind
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
WORD = re.compile(r"(?:`[^`]*`|[^\s`])+")
MARK = re.compile(r"[-+*#|>]|\d+[.)]|[-=]+")  # to Markdown, at the start of a line


def kind(name):
    """What names have in common that are in a line: `make_char1` and `make_char2`."""
    return PARTS.findall(name.split("::")[-1])[:2]


def of_names(names):
    """Names with commas between them, those of a kind in a line where they fit."""
    lines, line = [], ""
    for name, before in zip(names, [None, *names]):
        code = f"`{name}`"
        is_full = len(line) + 3 + len(code) > WIDEST or (len(line) > LONG_ENOUGH and kind(name) != kind(before))
        if line and is_full:
            lines.append(line + ",")
            line = code
        else:
            line += (", " if line else "") + code
    return [*lines, line] if line else lines


def of_item(text):
    """An item of a list. Code stays in a line, and no line begins with what is a mark to Markdown."""
    lines, line = [], "-"
    for word in WORD.findall(text):
        if len(line) + 1 + len(word) > WIDEST - MARKS_ROOM and line != "-" and not MARK.fullmatch(word):
            lines.append(line)
            line = "  " + word
        else:
            line += " " + word
    return [*lines, line]
