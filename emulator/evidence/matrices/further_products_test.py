#!/usr/bin/env python3
"""Compares the emulator's products of tiny numbers, numbers of 8 bits, quads and sparse matrices with those that a GPU
has recorded, and tests the comparison.

    further_products_test.py PROGRAM --recorded [--all] FILE
        the first sixteenth of the tiles, or all; exit status 77 if there is no such recording
    further_products_test.py PROGRAM
        the comparison, with recordings of the emulator's own
"""

import re
import unittest

from comparison import compare, main, run, spoil


class Comparison(unittest.TestCase):
    """A recording of few tiles, spoiled in two places."""

    @classmethod
    def setUpClass(cls):
        cls.recording = run('--tiles', '256').stdout
        cls.lines = cls.recording.splitlines()
        cls.result = spoil(cls.lines, 'series sparse_f16_f32_k32', 5, 1)  # of the third kind: two lines for each
        spoil(cls.lines, 'series e4m3_e5m2_f16_k32', 17, 1)  # the second digest

    def test_a_result_that_differs_is_shown_with_its_operands(self):
        result = compare('\n'.join(self.lines))
        self.assertEqual((result.returncode, result.stderr), (1, ''))
        self.assertRegex(result.stdout, rf'sparse_f16_f32_k32: tile 2, row 0, column 1: recorded {self.result}, here '
                         r'[0-9a-f]{8}\n'
                         r'  a:( [0-9a-f]{4}){16}\n  metadata:( [489cde]){8}\n  b:( [0-9a-f]{4}){32}\n'
                         r'  c: [0-9a-f]{8}\n')
        self.assertIn('tiny_bf16_k8: equal, 16384 results\n', result.stdout)
        self.assertIn('quads_row_col_f32: equal, 32768 results\n', result.stdout)
        self.assertRegex(result.stdout, r'\n52 of 53 series are equal\n$')

    def test_a_digest_that_differs_names_its_tiles(self):
        result = compare('\n'.join(self.lines), '--compare-all')
        self.assertEqual(result.returncode, 1)
        self.assertIn('e4m3_e5m2_f16_k32: a result among those of tiles 128 to 255 differs\n', result.stdout)
        self.assertIn('tiny_bf16_k8: equal, 32768 results\n', result.stdout)
        self.assertRegex(result.stdout, r'\n51 of 53 series are equal\n$')

    def test_all_results_of_a_tile_can_be_written(self):
        result = run('--results', '8')
        self.assertEqual(result.returncode, 0)
        lines = result.stdout.splitlines()
        at = lines.index('series tiny_bf16_k8') + 1
        recorded = self.recording.splitlines()
        self.assertIn(lines[at], recorded[recorded.index('series tiny_bf16_k8') + 1])
        self.assertEqual(lines[at + 8 * 16], 'series tiny_bf16_k16')

    def test_what_is_no_recording_is_refused(self):
        for text in ('', 'device x\ntiles 7\n', self.recording[:-20],
                     self.recording.replace('tiny_bf16_k8', 'tiny_bf16_k9')):
            result = compare(text)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r'^further_products: [^\n]*\n$')

    def test_a_wrong_command_line_is_refused(self):
        for arguments in (('--tiles', '9'), ('--tiles', 'x'), ('--results', '8200'), ('x',), ('--compare',)):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertTrue(re.fullmatch(r'further_products: [^\n]*\n', result.stderr), result.stderr)


if __name__ == '__main__':
    main()
