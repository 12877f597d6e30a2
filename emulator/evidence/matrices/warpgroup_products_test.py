#!/usr/bin/env python3
"""Compares the emulator's products of warpgroups with those that a GPU has recorded, and tests the comparison.

    warpgroup_products_test.py PROGRAM --recorded [--all] FILE [PAGE]
        the first tenth of the tiles, or all, and how many there are by the page; exit status 77 if there is no such
        recording
    warpgroup_products_test.py PROGRAM
        the comparison, with recordings of the emulator's own
"""

import re
import unittest

from comparison import compare, main, run, spoil

SERIES = ('bf16_f32_n40', 'f16_f16_n8', 'tf32_f32_n48', 'integers_n256', 'integers_n8')


class Comparison(unittest.TestCase):
    """A recording of some series and few tiles of them, spoiled in three places.

    To compute the tiles is what takes the time.
    """

    @classmethod
    def setUpClass(cls):
        cls.recording = run('--tiles', '16', *SERIES).stdout
        cls.lines = cls.recording.splitlines()
        # Behind a series' name: a line of results, and two of digests.
        cls.result = spoil(cls.lines, 'tf32_f32_n48', 1, 3)
        spoil(cls.lines, 'integers_n256', 2, 5)
        spoil(cls.lines, 'f16_f16_n8', 3, 2)

    def test_what_differs_in_the_first_tenth_is_named(self):
        result = compare('\n'.join(self.lines))
        self.assertEqual((result.returncode, result.stderr), (1, ''))
        self.assertRegex(
            result.stdout, rf'tf32_f32_n48: tile 3, row \d+, column \d+: recorded {self.result}, here '
            r'[0-9a-f]{8}\n'
            r'  wgmma\.mma_async\.sync\.aligned\.m64n48k8\.f32\.tf32\.tf32 d, [^\n]*\n'
            r'  3 in a row, the first one (adds|does not add) to D\n'
            r'(  A: swizzle \d+, [^\n]*\n)?  B: swizzle \d+, [^\n]*\n'
            r'(  a:( [0-9a-f]{8}){8}\n  b:( [0-9a-f]{8}){8}\n){3}  d: [0-9a-f]{8}\n')
        self.assertIn('integers_n256: a result differs in one of the tiles 5 to 5 (every 8th)\n', result.stdout)
        self.assertIn('3 of 5 series are equal, in 40 tiles\n', result.stdout)

    def test_what_differs_beyond_it_is_named_on_demand(self):
        result = compare('\n'.join(self.lines), '--compare-all')
        self.assertEqual(result.returncode, 1)
        self.assertIn('f16_f16_n8: a result differs in one of the tiles 10 to 10 (every 8th)\n', result.stdout)
        self.assertIn('2 of 5 series are equal, in 80 tiles\n', result.stdout)

    def test_what_is_not_recorded_is_not_equal(self):
        result = compare(self.recording)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r'\n5 of 5 series are equal, in 40 tiles\n\d+ are not recorded\n$')

    def test_a_tile_can_be_shown(self):
        result = run('--show', 'bf16_f32_n16', '9')
        self.assertEqual(result.returncode, 0)
        results = [line.split() for line in result.stdout.splitlines()[-64:]]
        self.assertEqual({len(line) for line in results}, {16})
        one = run('--show', 'bf16_f32_n16', '9', '5', '7')
        self.assertEqual(one.returncode, 0)
        self.assertRegex(one.stdout, r'(?m)^  a:( [0-9a-f]{4}){16}$[^$]*' + rf'^  D: {results[5][7]}$')

    def test_what_is_no_recording_is_refused(self):
        other_name, other_order = (self.recording.replace('f16_f16_n8', name) for name in ('f16_n8', 'integers_n256'))
        for text in ('', 'device x\ntiles 7\n', self.recording[:-20], other_name, other_order):
            result = compare(text)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r'^warpgroup_products: [^\n]*\n$')

    def test_a_wrong_command_line_is_refused(self):
        for arguments in (('--tiles', '9'), ('--tiles', '8', 'x'), ('--tiles', 'x'), ('--tiles', '2008'), ('x',),
                          ('--compare',), ('--show', 'x', '0'), ('--show', 'bf16_f32_n8', '2000'),
                          ('--show', 'bf16_f32_n8', '0', '0'), ('--show', 'bf16_f32_n8', '0', '64', '0'),
                          ('--show', 'bf16_f32_n8', '0', '0', '8')):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertTrue(re.fullmatch(r'warpgroup_products: [^\n]*\n', result.stderr), result.stderr)


def numbers_not_in(page, comparison):
    """Of what has been recorded and compared: what the page says otherwise, or not at all; in a line."""
    text = ' '.join(page.read_text(encoding='utf-8').split())
    counted = re.findall(r'(\d+) (series|tiles|results)', comparison.partition('\n')[0])
    said = [f'{int(number):,} {what}' for number, what in counted]
    missing = [number for number in said if number not in text] or ([] if len(said) == 3 else ['what was compared'])
    return [f'{page} does not say: {", ".join(missing)}'] if missing else []


if __name__ == '__main__':
    main(numbers_not_in)
