#!/usr/bin/env python3
"""What the headers declare to C is in the library by C's names, and nothing else of the runtime API is.

    c_functions_test.py LIBRARY COMPILER NM
"""

import pathlib
import re
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).resolve().parents[1] / "include"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declared(compiler):
    """The functions that a file in C may call."""
    header = INCLUDE / "cuda_runtime.h"
    text = output(compiler, "-std=c11", "-x", "c", "-E", "-P", "-I", str(INCLUDE), str(header))
    inline = set(re.findall(r"\binline\b[^;{]*?\b(cuda\w+)\(", text))
    return set(re.findall(r"\b(cuda\w+)\([^;{}]*\);", text)) - inline


def defined(nm, library):
    return set(re.findall(r"^\S+ T (cuda\w+)$", output(nm, "-g", "--defined-only", library), re.MULTILINE))


def main():
    library, compiler, nm = sys.argv[1:]
    in_headers, in_library = declared(compiler), defined(nm, library)
    if len(in_headers) < 100:
        print(f"only {len(in_headers)} functions are found in the headers")
        return 1
    for name in sorted(in_headers - in_library):
        print(f"{name}: declared to C, and not in the library by that name")
    for name in sorted(in_library - in_headers):
        print(f"{name}: in the library by C's name, and not declared to C: see EMULATOR_C_BEGIN in the headers")
    return 0 if in_headers == in_library else 1


if __name__ == "__main__":
    sys.exit(main())
