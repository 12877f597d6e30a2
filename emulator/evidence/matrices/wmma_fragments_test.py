#!/usr/bin/env python3
"""Compares what wmma_fragments writes on the emulator with what it wrote on a GPU, line by line.

    wmma_fragments_test.py PROGRAM FILE
"""

import pathlib
import subprocess
import sys


def main():
    program, file = sys.argv[1:]
    here = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    device, *recorded = pathlib.Path(file).read_text(encoding='utf-8').splitlines()
    pairs = [pair for pair in zip(recorded, here) if pair[0] != pair[1]]
    for there, ours in pairs:
        print(f'recorded: {there}\nhere:     {ours}')
    if len(here) != len(recorded):
        print(f'{len(recorded)} lines are recorded, and here are {len(here)}')
    elif not pairs:
        print(f'{len(recorded)} lines are those of {device}')
    refused = subprocess.run([program, 'x'], capture_output=True, text=True, check=False)
    is_refused = (refused.returncode, refused.stderr) == (2, 'wmma_fragments: takes no arguments\n')
    sys.exit(0 if not pairs and len(here) == len(recorded) and is_refused else 1)


if __name__ == '__main__':
    main()
