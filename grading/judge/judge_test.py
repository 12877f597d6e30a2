#!/usr/bin/env python3
"""The judge before programs that do not do what a submission does: it fails the case, says how, and ends.

    judge_test.py JUDGE [CASE]
"""
import json
import os
import subprocess
import sys
import tempfile

CASE = 'correct: every bit at awkward shapes'

# What stands in the place of a submission, and what the judge is to say of it.
PROGRAMS = [
    ('true', 'ended there, with exit status 0'),
    ('exit 7', 'ended there, with exit status 7'),
    ('kill -SEGV $$', 'crashed: Segmentation fault'),
    ('exit 139', 'crashed: Segmentation fault'),  # how a sandbox tells it
    ('kill -XCPU $$', 'used up its time or its memory'),
    ('printf PASS >&3; exec 3>&-; true', 'ended there, with exit status 0'),
    (r"printf '\003\0\0\0\0\0\0\0abc' >&3; exec sleep 60", "answer makes no sense"),
    (r"printf '\0\0\0\0\0\0\0\0' >&3; exec sleep 60", "answer makes no sense"),
    (r"printf '\377\377\377\377\377\377\377\177' >&3; exec sleep 60", 'would not go on'),
    (r"printf '\0\0\0\1\0\0\0\0xxxxx' >&3", 'ended there, with exit status 0'),
    ('exec 3>&-; exec sleep 60', 'would not go on'),
    ('sleep 60', 'did not end within'),
    ('echo "passed   correct" >&2; echo \'{"result": "passed"}\'', 'ended there, with exit status 0'),
]


def judge(program, command, folder):
    file = os.path.join(folder, 'submission.json')
    with open(file, 'w', encoding='utf-8') as out:
        json.dump(command, out)
    results = os.path.join(folder, 'results')
    if os.path.exists(results):
        os.remove(results)
    environment = dict(os.environ, COURSE_SUBMISSION=file, COURSE_CHECK_RESULTS=results, COURSE_CHECK_TIMEOUT='5')
    done = subprocess.run([program, '--test-case=' + CASE], env=environment, capture_output=True, text=True, timeout=60,
                          check=False)
    with open(results, encoding='utf-8') as lines:
        return done.returncode, json.loads(lines.readlines()[-1])


def main():
    program = sys.argv[1]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for script, wanted in PROGRAMS:
            status, result = judge(program, ['sh', '-c', script], folder)
            if status != 1 or result['result'] != 'failed' or wanted not in result['message']:
                bad += 1
                print(f'{script}: want failed with "{wanted}", got {status}, {result}')
        status, result = judge(program, ['/no/such/program'], folder)
        if status != 1 or 'exit status 127' not in result['message']:
            bad += 1
            print(f'no program: {status}, {result}')
    print(f'{len(PROGRAMS) + 1 - bad} of {len(PROGRAMS) + 1} as expected')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
