"""A recording that is spoiled on purpose: what the tests of the comparisons have in common."""

import pathlib
import tempfile


def spoil(lines, name, line, word):
    """Changes the last digit of a word, so many lines behind a series' name. Returns what is there now."""
    at = lines.index(name) + line
    words = lines[at].split()
    words[word] = words[word][:-1] + f'{int(words[word][-1], 16) ^ 1:x}'
    lines[at] = ' '.join(words)
    return words[word]


def compare(run, text, option='--compare'):
    """What run(option, FILE) gives for a recording of this text."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'recording.txt'
        file.write_text(text, encoding='utf-8')
        return run(option, str(file))
