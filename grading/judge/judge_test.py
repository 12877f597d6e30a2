#!/usr/bin/env python3
"""The judge before programs that do not do what a submission does: it fails the case, says how, and ends.
Where it is not proven that the submission's code is to blame, the case is not judged.

    judge_test.py JUDGE [CASE]
"""
import json
import os
import subprocess
import sys
import tempfile

CASE = 'correct: every bit at awkward shapes'

# What a submission's program says before any of a student's code runs.
GREETING = r"printf '\5\0\0\0\0\0\0\0ready' >&3; "

# What is in the place of a submission after this, and what the judge is to say of it.
PROGRAMS = [
    ('true', 'ended there, with exit status 0'),
    ('exit 7', 'ended there, with exit status 7'),
    ('kill -SEGV $$', 'crashed: Segmentation fault'),
    ('exit 139', 'crashed: Segmentation fault'),  # how a sandbox reports it
    ('kill -XCPU $$', 'used up its time'),
    ('printf PASS >&3; exec 3>&-; true', 'ended there, with exit status 0'),
    (r"printf '\003\0\0\0\0\0\0\0abc' >&3; exec sleep 60", "answer makes no sense"),
    (r"printf '\0\0\0\0\0\0\0\0' >&3; exec sleep 60", "answer makes no sense"),
    (r"printf '\377\377\377\377\377\377\377\177' >&3; exec sleep 60", 'did not go on'),
    (r"printf '\0\0\0\1\0\0\0\0xxxxx' >&3", 'ended there, with exit status 0'),
    ('exec 3>&-; exec sleep 60', 'did not go on'),
    ('sleep 60', 'did not end within'),
    ('echo "passed   correct" >&2; echo \'{"result": "passed"}\'', 'ended there, with exit status 0'),
]

# What cannot be held against a student, and the reason.
NOT_JUDGED = [
    ('exit 7', 'was not started: the program ended there, with exit status 7'),
    ('echo "bwrap: no namespace to be had" >&2; exit 1', 'bwrap: no namespace to be had'),
    (r"printf '\5\0\0\0\0\0\0\0steady' >&3; exec sleep 60", 'does not start as it should'),
    (GREETING + 'kill -KILL $$', 'was killed, not by its limits'),
    (GREETING + 'exit 137', 'was killed, not by its limits'),
    (GREETING + 'exit 71', 'no memory for its data'),
    (GREETING + 'kill -STOP $$', 'something has stopped it'),
    (GREETING + 'while :; do :; done', 'the machine was too busy'),
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
        tries = [(['sh', '-c', GREETING + script], 'failed', wanted) for script, wanted in PROGRAMS]
        tries += [(['sh', '-c', script], 'not judged', wanted) for script, wanted in NOT_JUDGED]
        tries.append((['/no/such/program'], 'not judged', 'exit status 127'))
        for command, outcome, wanted in tries:
            status, result = judge(program, command, folder)
            if status != 1 or result['result'] != outcome or wanted not in result['message']:
                bad += 1
                print(f'{command}: want {outcome} with "{wanted}", got {status}, {result}')
    print(f'{len(tries) - bad} of {len(tries)} as expected')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
