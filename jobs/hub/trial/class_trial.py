#!/usr/bin/env python3
"""Tries a hub with a class: all log in, check, and hand in at once. On the hub's machine, as root, by its Python:

    /srv/course/venv/bin/python jobs/hub/trial/class_trial.py [--students 20] [--hostile] [--out FILE]

Without --hostile: the times of all students, and the memory of each. With it: one student works, alone and then beside
four others: an endless loop, a fork bomb, a full disk, and memory without end. The exit status is 1 if anything goes
wrong that should not. Needs httpx and websocket-client, which JupyterLab brings.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from student import Student  # noqa: E402

HUB = pathlib.Path(os.environ.get("COURSE_HUB", "/srv/course"))
CHECKOUT = pathlib.Path(os.environ.get("COURSE_HUB_CHECKOUT", HUB / "course"))
FAST_ENOUGH = 6.0  # times as long beside hostile students as alone, at most
# Of hostile students: what a kernel is given to do, and what must hold the student back.
HOSTILE = {
    "loop": "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        while True: pass\n",
    "bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
    "disk": ("import os\nfor k, folder in enumerate([os.environ['HOME'], '/tmp', '/var/tmp', '/dev/shm']):\n"
             "    try:\n        with open(f'{folder}/full', 'wb') as file:\n"
             "            while True: file.write(bytes(1 << 20))\n"
             "    except OSError as error: print(folder, error)\n"),
    "memory": "import os\nfor _ in range(4):\n    os.fork()\nx = []\nwhile True: x.append(bytearray(64 << 20))\n",
}


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def solution(exercise):
    """The model solution, as ./course makes it."""
    return output_of(CHECKOUT / "course", "--no-install", "solution", exercise, "--anyway")


class Unit:
    """What systemd and the kernel know of a student's server."""

    def __init__(self, name):
        self.name = f"jupyter-{name}-singleuser.service"

    def property(self, what):
        said = output_of("systemctl", "show", self.name, "--value", "--property", what)
        return int(said) if said.isdigit() else 0

    def memory(self):
        """Bytes of the processes' own memory now, and the most with files that the kernel kept: with either cgroups."""
        group = output_of("systemctl", "show", self.name, "--value", "--property", "ControlGroup").lstrip("/")
        for root, now, most in ((pathlib.Path("/sys/fs/cgroup/memory"), "total_rss", "memory.max_usage_in_bytes"),
                                (pathlib.Path("/sys/fs/cgroup"), "anon", "memory.peak")):  # fmt: skip
            if (root / group / "memory.stat").is_file():
                told = re.search(rf"^{now} (\d+)$", (root / group / "memory.stat").read_text(), re.M)
                peak = root / group / most
                return int(told[1]), int(peak.read_text()) if peak.is_file() else 0
        return 0, 0


def work(student, exercise, text, together=lambda: None):
    """What a student does; the seconds of each step. Raises if it does not go as it should."""
    seconds = {}
    start = time.monotonic()
    student.log_in()
    seconds["log in"] = time.monotonic() - start
    student.start_kernel()
    shown, seconds["first cell"] = student.run("%load_ext course_jupyter")
    expect(shown == "", shown)
    together()
    shown, seconds["check, not solved"] = student.run(f"%course check {exercise}")
    expect("is not solved yet" in shown or "is solved" in shown, shown)
    together()
    shown, seconds["check, solved"] = student.run(f"%%course check {exercise}\n{text}")
    expect(f"{exercise} is solved" in shown, shown)
    together()
    shown, seconds["hand in"] = student.run(f"%course hand-in {exercise}")
    expect(shown.startswith("handed in:"), shown)
    return seconds


def expect(right, shown):
    if not right:
        raise AssertionError(f"a cell shows: {shown[-1500:]}")


def handed_in(name, exercise, text):
    files = list((HUB / "handed-in" / name).glob(f"{exercise}_*/*.cu"))
    return [file.read_text(encoding="utf-8").strip() for file in files] == [text.strip()]


def class_of(options, password, text):
    """All at once. The figures."""
    names = [f"student{k:02}" for k in range(1, options.students + 1)]
    barrier = threading.Barrier(len(names))
    times, problems = {}, []

    def one(name):
        try:
            times[name] = work(Student(options.url, name, password), options.exercise, text, barrier.wait)
        except Exception as problem:  # pylint: disable=broad-except
            problems.append(f"{name}: {type(problem).__name__}: {problem}")
            barrier.abort()

    threads = [threading.Thread(target=one, args=(name,)) for name in names]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    problems += [f"{name}: what was handed in is not what was written" for name in times
                 if not handed_in(name, options.exercise, text)]  # fmt: skip
    memory = [Unit(name).memory() for name in times]
    disks = [int(output_of("du", "-sB1", HUB / "students" / f"{name}.img").split()[0]) for name in times]
    steps = {step: [one[step] for one in times.values()] for step in next(iter(times.values()), {})}
    return problems, {
        "students": len(times), "seconds in all": round(time.monotonic() - start, 1),
        "seconds": {step: {"median": round(statistics.median(all_of), 1), "longest": round(max(all_of), 1)}
                    for step, all_of in steps.items()},
        "memory MB, median": round(statistics.median([now for now, _ in memory] or [0]) / 1e6),
        "memory MB, most with files": round(max([most for _, most in memory] or [0]) / 1e6),
        "disk MB, median": round(statistics.median(disks or [0]) / 1e6)}  # fmt: skip


def hostile(options, password, text):
    """One student alone, and beside those who harm. The figures."""
    good = Student(options.url, "honest", password)
    work(good, options.exercise, text)
    alone = good.run(f"%course check {options.exercise}")[1]
    free = output_of("df", "--output=avail", "-B1", HUB).split()[-1]
    bad = {kind: Student(options.url, f"hostile-{kind}", password).log_in().start_kernel() for kind in HOSTILE}
    for kind, student in bad.items():
        student.send(HOSTILE[kind])
    time.sleep(20)
    problems, beside = [], []
    for _ in range(3):
        shown, seconds = good.run(f"%course check {options.exercise}")
        beside.append(seconds)
        if f"{options.exercise} is solved" not in shown:
            problems.append(f"the honest student's check shows: {shown[-500:]}")
    shown, seconds = good.run(f"%course hand-in {options.exercise}")
    if not shown.startswith("handed in:"):
        problems.append(f"the honest student cannot hand in: {shown[-500:]}")
    start = time.monotonic()
    Student(options.url, "late", password).log_in()
    late = time.monotonic() - start
    units = {kind: Unit(f"hostile-{kind}") for kind in HOSTILE}
    tasks = units["bomb"].property("TasksCurrent")
    most = max(unit.memory()[1] for unit in units.values())
    taken = int(free) - int(output_of("df", "--output=avail", "-B1", HUB).split()[-1])
    used = output_of("df", "--output=pcent", HUB / "students/hostile-disk").split()[-1]
    if statistics.median(beside) > FAST_ENOUGH * alone:
        problems.append(f"a check takes {statistics.median(beside):.1f} s, alone {alone:.1f} s")
    if not 100 <= tasks <= 200:
        problems.append(f"the fork bomb has {tasks} tasks")
    if used != "100%":
        problems.append(f"the full disk is at {used}")
    if most > 2.01 * (1 << 30):
        problems.append(f"a hostile student has {most} bytes")
    return problems, {"check alone, s": round(alone, 1), "check beside them, s": round(statistics.median(beside), 1),
                      "hand in, s": round(seconds, 1), "a later log in, s": round(late, 1), "tasks of the bomb": tasks,
                      "memory of the greediest, MB": round(most / 1e6), "disk that they took, MB": round(taken / 1e6)}


def main():
    parser = argparse.ArgumentParser(description="Tries a hub with a class.")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--exercise", default="01a")
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, help="a file for the figures")
    options = parser.parse_args()
    password = (HUB / "hub/password").read_text(encoding="utf-8").strip()
    text = solution(options.exercise)
    problems, figures = (hostile if options.hostile else class_of)(options, password, text)
    figures["load of the machine"] = float(output_of("cat", "/proc/loadavg").split()[0])
    print(json.dumps(figures, indent=1))
    for problem in problems:
        print(problem)
    if options.out and not problems:
        kept = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
        kept["hostile" if options.hostile else "class"] = figures
        processor = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
        kept["machine"] = f"{os.cpu_count()} cores of an {processor[1]}"
        options.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
