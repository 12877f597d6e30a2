"""What the tests of the recorders have in common: the program runs, and compares itself with a recording of a GPU's or
with one of its own that is spoiled on purpose."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ''


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def spoil(lines, name, line, word):
    """Changes the last digit of a word, `line` lines after a series' name. Returns what is there now."""
    at = lines.index(name) + line
    words = lines[at].split()
    words[word] = words[word][:-1] + f'{int(words[word][-1], 16) ^ 1:x}'
    lines[at] = ' '.join(words)
    return words[word]


def compare(text, option='--compare'):
    """What the program says of a recording with this text."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'recording.txt'
        file.write_text(text, encoding='utf-8')
        return run(option, str(file))


def main(faults_of=None):
    """PROGRAM: the tests of the script that calls this. PROGRAM --recorded [--all] FILE [PAGE...]: the comparison with
    the file, and what `faults_of` a page and what was printed gives; exit status 77 if there is no such file."""
    global PROGRAM
    PROGRAM = sys.argv.pop(1)
    if sys.argv[1:2] != ['--recorded']:
        unittest.main()
    option = '--compare-all' if '--all' in sys.argv else '--compare'
    recording, *pages = (pathlib.Path(file) for file in sys.argv[2:] if file != '--all')
    if not recording.exists():
        print(f'SKIPPED: no recording of a GPU here: {recording.name} is missing; '
              'emulator/evidence/matrices/record.sh writes it')
        sys.exit(77)
    result = run(option, str(recording))
    print(result.stdout + result.stderr)
    faults = [fault for page in pages for fault in faults_of(page, result.stdout)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else result.returncode)
