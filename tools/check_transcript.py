#!/usr/bin/env python3
"""Compares the end of `./course tour` with the transcript in README.md, times aside.

    tools/check_transcript.py < output of ./course tour on the emulator
"""

import difflib
import pathlib
import re
import sys

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"


def ladder(text, where):
    """The lines from the ladder's title to the closing line, with times masked."""
    found = re.search(r"^The ladder on the emulator.*?^Chapters: [^\n]*$", text, re.DOTALL | re.MULTILINE)
    if not found:
        sys.exit(f"check_transcript: no ladder in {where}")
    text = re.sub(r"skipped, in .*? s\.", "skipped, in TIME.", found.group(0))
    # The time is the last but one column of a row, a number with three decimals.
    return re.sub(r" +\d+\.\d{3}( +\S+)$", r" TIME\1", text, flags=re.MULTILINE).splitlines()


said, printed = ladder(README.read_text(), "README.md"), ladder(sys.stdin.read(), "the output")
difference = list(difflib.unified_diff(said, printed, "README.md", "./course tour", lineterm=""))
print("\n".join(difference) or f"the README's transcript is what ./course tour prints ({len(said)} lines)")
sys.exit(1 if difference else 0)
