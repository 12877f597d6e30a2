#!/usr/bin/env python3
"""Makes the Python environment of the site's browser tests: prepare.py FOLDER [--requirements FILE]

With --requirements it makes that of other tests. Only Python's packages are installed, by pip, into FOLDER. The browser
is the system's: Playwright's own are downloads that many machines cannot make."""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    """An empty text, or the last line of what a command that failed has said."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return lines[-1] if lines else f"exit status {done.returncode}"


def text_of(requirements):
    """What the file wants, with the files that it includes by -r."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return "\n".join(text_of(requirements.parent / line[3:].strip()) if line.startswith("-r ") else line
                     for line in lines) + "\n"  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Makes the Python environment of the site's browser tests.")
    parser.add_argument("folder", type=pathlib.Path, help="where to make it, in a build folder")
    parser.add_argument("--requirements", type=pathlib.Path, default=HERE / "requirements.txt", metavar="FILE",
                        help="what pip installs (default: what the site's tests need)")
    options = parser.parse_args()
    folder = options.folder.resolve()
    python = folder / "bin/python"
    try:
        wanted = text_of(options.requirements)
    except OSError as error:
        print(f"prepare.py: cannot read {options.requirements}: {error.strerror}", file=sys.stderr)
        return 2
    made = folder / "requirements-installed.txt"
    if python.exists() and made.is_file() and made.read_text(encoding="utf-8") == wanted:
        print(f"The environment of the tests is there: {folder}")
        return 0
    problem = run(sys.executable, "-m", "venv", "--clear", "--system-site-packages", str(folder))
    if problem:
        print(f"prepare.py: no environment could be made in {folder} ({problem}); on Debian or Ubuntu: apt-get install "
              "python3-venv", file=sys.stderr)
        return 2
    problem = run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement",
                  str(options.requirements))
    if problem:
        print(f"prepare.py: pip could not install the tests' packages ({problem})", file=sys.stderr)
        return 2
    made.write_text(wanted, encoding="utf-8")
    print(f"The environment of the tests: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
