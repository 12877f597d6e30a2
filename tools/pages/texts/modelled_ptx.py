"""Writes docs/modelled-ptx.md: which instructions of PTX may be in asm(), as emucc lists them.

    python3 tools/pages modelled-ptx [--check] EMUCC

EMUCC is the built compiler driver. How much public code that covers comes from emulator/tests/ptx_forms.tsv,
which a test holds against emucc. --check says whether the page is up to date, and changes nothing.
"""

import argparse
import subprocess
import sys

from places import ROOT

PAGE = ROOT / 'docs' / 'modelled-ptx.md'
FORMS = ROOT / 'emulator' / 'tests' / 'ptx_forms.tsv'

INTRODUCTION = '''# PTX in the source

<!-- Written by python3 tools/pages modelled-ptx from what emucc --list-ptx prints: change the tables of instructions in
     emulator/compiler/ptx, not this page. -->

A kernel may contain a GPU's instructions: `asm volatile("bar.sync 1, 128;")`. The emulator parses the statement and
does what each instruction would do. Its loads, stores and atomic operations are counted and checked like those of CUDA
C++, at the line of the statement. This page lists the instructions that the emulator knows; `emucc --list-ptx` prints
the same list. Any other is a compiler error that names the instruction and the line. Operands follow the rules of
NVIDIA's assembler: their number, their sizes, and whether they are integers or floating-point numbers.

A statement may have several instructions, registers and braces of its own, predicates, labels and jumps. A carry
(`add.cc`) goes from one instruction to the next within a statement, not to another statement.

Results are those of a GPU of compute capability 9.0, to the bit, where NVIDIA's manual says what they are. For what it
leaves open (`ex2.approx` and the like) the table says what is computed here. All of this was checked against the
manual, and not yet against recordings of a GPU; products of matrices [were](trusting-the-emulator.md#tensor-cores).
'''

COVERAGE = '''
## How much public code this covers

We split the `asm` statements of four public repositories (of CUTLASS its `include` folder; a fifth, llm.c, has none)
into forms: a name with all its parts, and the kinds of its operands. We count the forms that NVIDIA's assembler accepts
for compute capability 9.0. 2,200 of the uses are one instruction, the `setp` beside each `wgmma`.

| | forms | known | uses | known |
|---|---:|---:|---:|---:|
'''
PARTS = {'now': 'all but tensor cores and tensor maps', 'matrix': '`mma.sync`, `ldmatrix`, `stmatrix`',
         'hopper': '`wgmma`, tensor maps, multicast'}
REPOSITORIES = ('NVIDIA/cuda-samples', 'NVIDIA/cutlass, `arch/` of its two libraries',
                'NVIDIA/cutlass, the rest of `include/`', 'pranjalssh/fast.cu', 'salykova/sgemm.cu')


def share(known, count):
    return f'{known:,} ({100 * known / count:.1f} %)' if count else '0'


def coverage():
    """The table of what is known."""
    rows = [line.split('\t') for line in FORMS.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
    rows = [(known == 'yes', part, int(forms), list(map(int, uses)))
            for valid, known, part, forms, *uses, _ in rows if valid == 'yes']
    lines = []
    for part, name in PARTS.items():
        here = [row for row in rows if row[1] == part]
        forms, uses = sum(row[2] for row in here), sum(sum(row[3]) for row in here)
        known, used = sum(row[2] for row in here if row[0]), sum(sum(row[3]) for row in here if row[0])
        lines.append(f'| {name} | {forms:,} | {share(known, forms)} | {uses:,} | {share(used, uses)} |')
        for number, repository in enumerate(REPOSITORIES if part == 'now' else ()):
            some = [row for row in here if row[3][number]]
            forms, uses = sum(row[2] for row in some), sum(row[3][number] for row in some)
            known = sum(row[2] for row in some if row[0])
            used = sum(row[3][number] for row in some if row[0])
            lines.append(f'| … in {repository} | {forms:,} | {share(known, forms)} | {uses:,} '
                         f'| {share(used, uses)} |')
    return COVERAGE + '\n'.join(lines) + '\n'


def main(arguments):
    parser = argparse.ArgumentParser(prog='tools/pages modelled-ptx', description=__doc__.splitlines()[0])
    parser.add_argument('--check', action='store_true', help='say whether the page is up to date')
    parser.add_argument('emucc', help='the compiler driver, built')
    options = parser.parse_args(arguments)
    try:
        listed = subprocess.run([options.emucc, '--list-ptx'], capture_output=True, text=True, check=True).stdout
        text = INTRODUCTION + coverage() + '\n' + listed
        old = PAGE.read_text(encoding='utf-8') if PAGE.exists() else ''
    except (OSError, subprocess.CalledProcessError) as error:
        print(f'modelled-ptx: {error}', file=sys.stderr)
        return 2
    if old == text:
        return 0
    if not options.check:
        PAGE.write_text(text, encoding='utf-8')
        return 0
    print('docs/modelled-ptx.md is not what emucc says: run python3 tools/pages modelled-ptx EMUCC', file=sys.stderr)
    return 1
