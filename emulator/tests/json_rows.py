#!/usr/bin/env python3
"""The form of a JSON file that is kept: one row per line.

    emulator/tests/json_rows.py FILE...    brings files into it, and changes no value

Members of the whole are on lines of their own, and so do those of a member that holds objects or lists. Every element
of a list of objects or of lists, in these, is a line. A list of plain values has one too, if they are too long for one
line together. Whatever is within such a line stays there.
"""

import json
import pathlib
import sys

WIDEST = 120  # columns, for a list of plain values
DEEPEST = 2  # members of members


class Number(str):
    """A number as the file has it, digit by digit."""


def parsed(text):
    return json.loads(text, parse_float=Number, parse_int=Number)


def in_a_line(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{in_a_line(key)}: {in_a_line(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_a_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def is_broken(value, depth):
    """Whether it takes more than a line."""
    if not isinstance(value, (dict, list)) or not value or depth > DEEPEST:
        return False
    members = value.values() if isinstance(value, dict) else value
    if depth == 0 or (isinstance(value, list) or depth < DEEPEST) and any(isinstance(one, (dict, list)) for one in members):
        return True
    return isinstance(value, list) and len(in_a_line(value)) > WIDEST


def written(value, depth=0):
    if not is_broken(value, depth):
        return in_a_line(value)
    margin = " " * depth
    if isinstance(value, dict):
        lines = [f"{in_a_line(key)}: {written(member, depth + 1)}" for key, member in value.items()]
    else:
        lines = map(in_a_line, value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{margin} " + f",\n{margin} ".join(lines) + f"\n{margin}{closing}"


def text_of(value):
    return written(value) + "\n"


def main(names):
    if not names or names[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for name in names:
        path = pathlib.Path(name)
        try:
            old = path.read_text(encoding="utf-8")
            text = text_of(parsed(old))
        except (OSError, ValueError) as error:
            print(f"json_rows: {name}: {error}", file=sys.stderr)
            return 2
        if text != old:
            path.write_text(text, encoding="utf-8")
            print(f"{name}: rewritten")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
