"""Writes docs/modelled-api.md: which of CUDA's functions the emulator models, read from its headers.

    python3 tools/pages modelled-api [--check] [--compiler g++]

The compiler's preprocessor expands the headers' macros; what is then declared is what there is. --check says
whether the page is what the headers give, and changes nothing.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

import page_lines
from benchmark_tables import SUPERSCRIPTS
from places import ROOT

INCLUDE = ROOT / 'emulator' / 'include'
FORWARDING = ROOT / 'emulator' / 'cmake' / 'forwarding_headers.txt'
PAGE = ROOT / 'docs' / 'modelled-api.md'
# Headers that others include: what they declare is under their names.
FIRST = ('cuda_runtime.h', 'cuda_fp16.h', 'cuda_bf16.h', 'cublas_api.h', 'cusparse.h', 'cusolver_common.h', 'cutensor.h',
         'curand.h', 'curand_kernel.h', 'cuda/barrier', 'cuda/pipeline', 'cuda/ptx')

INTRODUCTION = '''# What the emulator models

<!-- Written by python3 tools/pages modelled-api from the headers in emulator/include: change them, not this page. -->

The emulator stands in for a part of CUDA. This page lists that part function by function, as its headers declare it.
A function that is *not modelled* compiles, so that a program runs if it never calls it. If the program does call it, it
prints a line on stderr (`emulator: cudaIpcOpenMemHandle is not modelled`) and returns the library's error for that. If a
kernel calls one (`bmma_sync`), the compiler reports an error in that line, except in a template that is never used. A
function that is not on this page does not compile.

The lists repeat what a header says about a function. A function that is only named does what NVIDIA's documentation
says. *Restricted* marks what differs from a GPU.
'''

TOKEN = re.compile(r'''
    (?P<marker>^\#[ ]\d+[ ]"(?P<file>[^"]*)"[^\n]*)
  | (?P<directive>^[ \t]*\#[^\n]*)
  | (?P<doc>///[^\n]*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<blank>\n[ \t]*\n)
  | (?P<space>\s+)
  | (?P<sign>.)''', re.VERBOSE | re.MULTILINE | re.DOTALL)

# Words before a parenthesis that do not name the function.
NOT_NAMES = {'__attribute__', 'alignas', 'asm', '__asm__', 'decltype', 'explicit', 'noexcept', 'requires', 'sizeof',
             'static_assert'}
# Files that are included once for each of several types, and the headers that they are part of.
REPEATED = ('float16_functions.inc', 'float16_types.inc')
REPEATED_IN = ('cuda_fp16.h', 'cuda_bf16.h')
HIDDEN = ('emulator', 'detail')
RESTRICTED = '\\restricted '  # before what a header says of a function that does not do all that a GPU's does


class Page_error(Exception):
    """A failure that is one line."""


def preprocess(compiler, header):
    """The text of a header and of what it includes; or, in place of it, the line by which it refuses itself."""
    result = subprocess.run([compiler, '-std=c++20', '-E', '-CC', '-x', 'c++', '-I', str(INCLUDE),
                             str(INCLUDE / header)], capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return result.stdout, None
    refusal = re.search(r'#error "?(.*?)"?$', result.stderr, re.MULTILINE)
    if refusal is None:
        raise Page_error(f'{header} cannot be preprocessed: {result.stderr.strip().splitlines()[0]}')
    return '', refusal.group(1)


def function_name(words):
    """The name that a declaration's tokens declare as a function, or None."""
    angle = 0
    skip = 0  # depth of parentheses that belong to an attribute or the like
    previous = ''
    in_template = False
    for index, word in enumerate(words):
        if skip:
            skip += (word == '(') - (word == ')')
            previous = word
            continue
        if word == 'template':
            in_template = True
        elif word == '<' and (in_template or previous == 'template' or angle):
            angle += 1
        elif word == '<' and re.match(r'[A-Za-z_]', previous) and previous != 'operator':
            angle += 1
        elif word == '>' and angle:
            angle -= 1
            in_template = in_template and angle != 0
        elif word == '(' and not angle:
            if previous in NOT_NAMES:
                skip = 1
            elif re.match(r'[A-Za-z_]\w*$', previous) and index > 1:
                return None if 'operator' in words[:index] else previous
            else:
                return None
        elif word in ('=', 'operator') and not angle:
            return None
        previous = word
    return None


def own_lines(text, seen):
    """The lines of our own headers that were not read before, with the markers that tell where they are from."""
    result = []
    keep = False
    for line in text.splitlines():
        if match := re.match(r'# \d+ "([^"]*)"', line):
            path = pathlib.Path(match.group(1))
            keep = INCLUDE in path.parents and (path.name in REPEATED or str(path.relative_to(INCLUDE)) not in seen)
            if not keep:
                continue
        elif not keep:
            continue
        result.append(line)
    return '\n'.join(result)


class Reader:
    """Reads preprocessed text; calls `found(file, name, doc, is_modelled, namespace)` for each function."""

    def __init__(self, found):
        self.found = found
        self.file = None
        self.names = []  # of the namespaces that are open; None for extern "C"
        self.start()

    def start(self):
        self.words = []
        self.doc = []

    def visible(self):
        return not any(name is not None and name.startswith(HIDDEN) for name in self.names)

    def declare(self, body):
        if self.words and self.words[0] not in ('using', 'typedef', 'friend', 'static_assert', 'concept'):
            name = function_name(self.words)
            if any('\\file' in line for line in self.doc):
                self.doc = []  # which is about the file, and not about its first function
            if name and not name.startswith('emulator_') and self.file is not None and self.visible():
                refused = '__attribute__ ( ( error (' in ' '.join(self.words)
                self.found(self.file, name, ' '.join(self.doc), 'not_modelled' not in body and not refused,
                           [name for name in self.names if name])
        self.start()

    def read(self, text):
        tokens = [(m.lastgroup if m.lastgroup != 'file' else 'marker', m) for m in TOKEN.finditer(text)]
        index = 0
        while index < len(tokens):
            kind, match = tokens[index]
            index += 1
            if kind == 'marker':
                path = pathlib.Path(match.group('file'))
                self.file = str(path.relative_to(INCLUDE)) if INCLUDE in path.parents else None
            elif kind == 'doc':
                self.doc.append(match.group().lstrip('/').strip())
            elif kind == 'blank' and not self.words and not self.stays(tokens, index):
                self.doc = []
            elif kind == 'string':
                self.words.append(match.group())
            elif kind in ('word', 'sign'):
                index = self.take(match.group(), tokens, index)

    def stays(self, tokens, index):
        """Whether the line goes on after a marker: a macro of another header is expanded in it."""
        kind, match = tokens[index] if index < len(tokens) else (None, None)
        return kind == 'marker' and self.file is not None and match.group('file').endswith('/' + self.file)

    def take(self, word, tokens, index):
        if word == ';':
            self.declare('')
        elif word == '{' and 'namespace' in self.words:
            self.names.append('::'.join(w for w in self.words[self.words.index('namespace') + 1:] if w != ':'))
            self.start()
        elif word == '{' and self.words[:2] == ['extern', '"C"'] and len(self.words) == 2:
            self.names.append(None)
            self.start()
        elif word == '}' and self.names:
            self.names.pop()
            self.start()
        elif word == '{':
            body, index = self.body(tokens, index)
            if function_name(self.words) and self.words[0] not in ('struct', 'class', 'enum', 'union'):
                self.declare(body)
            else:
                self.words.append('{}')  # of a type or a variable, which ends with a semicolon
        else:
            self.words.append(word)
        return index

    @staticmethod
    def body(tokens, index):
        """The text up to the brace that closes, and the place after it."""
        depth = 1
        text = []
        while depth and index < len(tokens):
            kind, match = tokens[index]
            index += 1
            if kind in ('word', 'sign'):
                depth += (match.group() == '{') - (match.group() == '}')
                text.append(match.group())
        return ' '.join(text), index


def forwarding_headers():
    """Headers by whose names programs include another one, and that one."""
    same = {}
    for line in FORWARDING.read_text(encoding='utf-8').splitlines():
        if not line.startswith('#'):
            header, names = line.split(': ')
            same |= dict.fromkeys(names.split(), header)
    return dict(sorted(same.items()))


def brief(file):
    """The first sentence of what a file says of itself."""
    text = (INCLUDE / file).read_text()
    match = re.search(r'/// \\file\n((?:///.*\n)+)', text)
    if match is None:
        return ''
    words = ' '.join(line.lstrip('/').strip() for line in match.group(1).splitlines())
    return re.split(r'(?<=[.:])\s', words.strip(), maxsplit=1)[0].rstrip(':.') + '.'


def collect(compiler):
    """What each public header declares: {header: {file: {name: [doc, is_modelled]}}}, and the other headers."""
    headers = sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob('*')
                     if path.is_file() and path.relative_to(INCLUDE).parts[0] != 'emulator')
    headers.sort(key=lambda header: FIRST.index(header) if header in FIRST else len(FIRST))
    declared, refused, seen = {}, {}, set()
    same = forwarding_headers()
    for header in headers:
        files = {}

        def found(file, name, doc, is_modelled, spaces, files=files, header=header):
            if file.split('/')[-1] in REPEATED and header not in REPEATED_IN:
                return
            # Programs leave out cuBLAS's "second version".
            full = '::'.join(spaces + [re.sub(r'^(cublas\w+)_v2(_64)?$', r'\1\2', name)])
            entry = files.setdefault(file, {}).setdefault(full, [[], False])
            if doc and doc not in entry[0]:
                entry[0].append(doc)
            entry[1] = entry[1] or is_modelled

        text, refusal = preprocess(compiler, header)
        if refusal is not None:
            refused[header] = refusal
            continue
        Reader(found).read(own_lines(text, seen))
        seen.update(re.findall(rf'^# \d+ "{re.escape(str(INCLUDE))}/([^"]*)"', text, re.MULTILINE))
        if files:
            declared[header] = files
    return declared, same, refused


def is_restricted(entry):
    """Whether a header marks a function so."""
    return entry[1] and any(RESTRICTED in doc for doc in entry[0])


def plain(doc):
    """A doc comment as Markdown."""
    doc = doc.replace(RESTRICTED, '')
    doc = re.sub(r'\\return\s+', 'Returns ', doc)
    doc = re.sub(r'\\param\s+(\w+)\s*', r'`\1`: ', doc)
    doc = re.sub(r'\^(\d+)', lambda power: power[1].translate(SUPERSCRIPTS), doc)  # 2^29 is 2²⁹
    return re.sub(r'\s+', ' ', doc).strip()


def section(header, files):
    """The part of the page on one header."""
    lines = ['', f'## {header}', '']
    unmodelled = []
    for file, functions in files.items():
        modelled = {name: entry for name, entry in functions.items() if entry[1]}
        unmodelled += [name for name, entry in functions.items() if not entry[1]]
        if not modelled:
            continue
        if len(files) > 1 or file != header:
            lines += [f'### {brief(file)[:-1] or file}', '']
        silent = [name for name, entry in modelled.items() if not entry[0]]
        remarked = [name for name, entry in modelled.items() if entry[0]]
        if silent:
            lines += [*page_lines.of_names(silent), '']
        for name in remarked:
            remark = plain(' '.join(modelled[name][0]))
            state = '**restricted:** ' if is_restricted(modelled[name]) else ''
            lines += page_lines.of_item(f'`{name}`: {state}{remark}')
        if remarked:
            lines.append('')
    if unmodelled:
        lines += [f'### Not modelled in {header}', '', *page_lines.of_names(sorted(unmodelled)), '']
    return lines[:-1] if lines[-1] == '' else lines


def page(compiler):
    """The page's text."""
    declared, same, refused = collect(compiler)
    lines = INTRODUCTION.splitlines()
    every = [entry for files in declared.values() for functions in files.values() for entry in functions.values()]
    modelled = sum(entry[1] for entry in every)
    restricted = sum(map(is_restricted, every))
    lines += ['', f'{modelled:,} names are modelled, {restricted} of them with a restriction; {len(every) - modelled} '
              'are known and not modelled.', '']
    lines += ['| header | modelled | not modelled |', '|---|---|---|']
    for header, files in declared.items():
        entries = [entry for functions in files.values() for entry in functions.values()]
        known = sum(entry[1] for entry in entries)
        place = re.sub(r'[^a-z0-9_-]', '', header.lower())
        lines.append(f'| [{header}](#{place}) | {known} | {len(entries) - known} |')
    for header, files in declared.items():
        lines += section(header, files)
    lines += ['', '## Headers that bring no functions of their own', '']
    for other in sorted(set(same.values())):
        names = ', '.join(f'`{header}`' for header, target in same.items() if target == other)
        lines += page_lines.of_item(f'The same as `{other}`: {names}.')
    for header, reason in refused.items():
        lines += page_lines.of_item(f'`{header}` is not modelled: {reason}')
    return '\n'.join(lines) + '\n'


def main(arguments):
    parser = argparse.ArgumentParser(prog='tools/pages modelled-api', description=__doc__.splitlines()[0])
    parser.add_argument('--check', action='store_true', help='say whether the page is up to date')
    parser.add_argument('--compiler', default='g++', help='whose preprocessor to use')
    options = parser.parse_args(arguments)
    try:
        text = page(options.compiler)
    except (Page_error, OSError) as error:
        print(f'modelled-api: {error}', file=sys.stderr)
        return 2
    if not options.check:
        PAGE.write_text(text)
        return 0
    old = PAGE.read_text() if PAGE.exists() else ''
    if old == text:
        return 0
    for line in list(difflib.unified_diff(old.splitlines(), text.splitlines(), 'docs/modelled-api.md',
                                          'as the headers have it', lineterm=''))[:40]:
        print(line)
    print('docs/modelled-api.md is not what the headers say: run python3 tools/pages modelled-api', file=sys.stderr)
    return 1
