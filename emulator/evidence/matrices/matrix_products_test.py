#!/usr/bin/env python3
"""Compares the emulator's products of matrices with those that a GPU has recorded, and tests the comparison.

    matrix_products_test.py PROGRAM --recorded FILE     exit status 77 if there is no such recording
    matrix_products_test.py PROGRAM                     the comparison, with recordings of the emulator's own
"""

import re
import unittest

from comparison import compare, main, run


class Comparison(unittest.TestCase):
    """A recording of few tiles, to be spoiled."""

    def setUp(self):
        self.recording = run('--tiles', '64').stdout

    def lines(self, series):
        """The recording's lines, and the number of the one after that series' name."""
        lines = self.recording.splitlines()
        return lines, lines.index(f'series {series}') + 1

    def test_equal(self):
        result = compare(self.recording)
        self.assertEqual((result.returncode, result.stderr), (0, ''))
        self.assertEqual(result.stdout.count(': equal, '), 10)
        self.assertIn('bf16_k16: equal, 8192 results', result.stdout)

    def test_a_result_that_differs_is_shown_with_its_operands(self):
        lines, at = self.lines('tf32_k8')
        words = lines[at + 1].split()  # after the digests, of the first kind
        words[9] = f'{int(words[9], 16) ^ 1:08x}'
        lines[at + 1] = ' '.join(words)
        result = compare('\n'.join(lines))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, rf'tf32_k8: tile \d+, row 1, column 1: recorded {words[9]}, '
                         r'here [0-9a-f]{8}\n'
                         r'  a:( [0-9a-f]{8}){8}\n  b:( [0-9a-f]{8}){8}\n  c: [0-9a-f]{8}\n')
        self.assertEqual(result.stdout.count(': equal, '), 9)

    def test_a_digest_that_differs_names_its_tiles(self):
        lines, at = self.lines('f64_k16')
        first, second = lines[at].split()
        lines[at] = f'{first} {int(second, 16) ^ 1:08x}'
        result = compare('\n'.join(lines))
        self.assertEqual(result.returncode, 1)
        self.assertIn('f64_k16: a result among those of tiles 32 to 63 differs\n', result.stdout)

    def test_what_is_no_recording_is_refused(self):
        for text in ('', 'device x\ntiles 7\n', self.recording[:-20], self.recording.replace('bf16_k8', 'bf16_k9')):
            result = compare(text)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r'^matrix_products: [^\n]*\n$')

    def test_a_wrong_command_line_is_refused(self):
        for arguments in (('--tiles', '9'), ('--tiles', 'x'), ('--tiles', '8200'), ('x',), ('--compare',)):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertTrue(re.fullmatch(r'matrix_products: [^\n]*\n', result.stderr), result.stderr)


if __name__ == '__main__':
    main()
