#!/usr/bin/env python3
"""Makes a wheel of emucc, for pip: make_wheel.py BUILD_FOLDER [--out FOLDER]

It holds what `cmake --install BUILD_FOLDER --component emucc` installs, as the package `emucc` for any Python 3 on
Linux. Nothing is compiled. Its tag names the oldest C library on which its programs start, by the symbols that they ask
for. It prints the wheel's path.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("bin/emucc", "lib/emucc/emulator-compile")
TEXTS = ("man", "bash-completion", "zsh", "fish")  # of share/: they go where a prefix has them
# A wheel holds no links.
LINK = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/{target}" "$@"
"""
METADATA = """Metadata-Version: 2.1
Name: emucc
Version: {version}
Summary: Compiler for CUDA C++ that needs no GPU
License: MIT
{homepage}Requires-Python: >=3.7
Provides-Extra: mcp
Requires-Dist: mcp >=2, <3; extra == "mcp"
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Topic :: Software Development :: Compilers
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: make_wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""
ENTRY_POINTS = """[console_scripts]
emucc = emucc:main
emucc-mcp = emucc.mcp:main
"""


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def objdump_of(build):
    """The one for the processor that the build is for."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_OBJDUMP:\w+=(.*)$", cache, re.MULTILINE)[1]


def tag(folder, objdump):
    """py3-none-manylinux_2_34_x86_64: by the newest symbols of the C library that one of the programs needs."""
    newest = (2, 17)
    for program in PROGRAMS:
        for line in output_of(objdump, "-T", folder / program).splitlines():
            for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", line):
                newest = max(newest, (int(major), int(minor)))
    machine = re.search(r"file format elf64-(\S+)", output_of(objdump, "-f", folder / PROGRAMS[0])).group(1)
    machine = {"x86-64": "x86_64", "littleaarch64": "aarch64"}.get(machine, machine)
    return f"py3-none-manylinux_{newest[0]}_{newest[1]}_{machine}"


def missing(build):
    """What the build had to leave out; empty if nothing."""
    said = re.search(r'^set\(CPACK_EMUCC_MISSING "(.+)"\)$',
                     (build / "CPackConfig.cmake").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
    return said[1] if said else ""


def homepage(build):
    """The header that names where the sources are; nothing if nobody has said where (EMUCC_HOMEPAGE)."""
    said = re.search(r'^set\(CPACK_PACKAGE_HOMEPAGE_URL "(.+)"\)$',
                     (build / "CPackConfig.cmake").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
    return f"Project-URL: Source, {said[1]}\n" if said else ""


class Wheel:
    """The archive: a file's mode and checksum are kept with it."""

    def __init__(self, path, info):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info = info
        self.record = []

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes whenever it is made
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self):
        self.record.append(f"{self.info}/RECORD,,\n")
        self.archive.writestr(f"{self.info}/RECORD", "".join(self.record))
        self.archive.close()


def place(path, version):
    """Where a file of the installed tree goes; None: nowhere."""
    if path.parts[0] != "share":
        return f"emucc/{path}"
    if path.parts[1] in TEXTS:
        return f"emucc-{version}.data/data/{path}"
    return f"emucc-{version}.dist-info/licenses/copyright" if path.name == "copyright" else None


def make(build, out):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        output_of("cmake", "--install", build, "--component", "emucc", "--strip", "--prefix", folder)
        parts = (folder / "lib/emucc/emucc.parts").read_text(encoding="utf-8")
        version = re.search(r"^version (\S+)$", parts, re.MULTILINE).group(1)
        info = f"emucc-{version}.dist-info"
        out.mkdir(parents=True, exist_ok=True)
        its_tag = tag(folder, objdump_of(build))
        path = out / f"emucc-{version}-{its_tag}.whl"
        wheel = Wheel(path, info)
        for file in sorted((HERE / "python/emucc").glob("*.py")):
            wheel.add(f"emucc/{file.name}", file.read_bytes())
        for file in sorted((HERE.parent / "picture").glob("*.py")):  # what cells of notebooks draw with
            if not file.name.endswith("_test.py"):
                wheel.add(f"emucc/picture/{file.name}", file.read_bytes())
        for file in sorted(file for file in folder.rglob("*") if file.is_symlink() or file.is_file()):
            name = place(file.relative_to(folder), version)
            if name is None:
                continue
            if file.is_symlink():
                wheel.add(name, LINK.format(target=os.readlink(file)).encode(), 0o755)
            else:
                wheel.add(name, file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
        # Build systems ask whether it is there; an archive does not hold an empty folder.
        wheel.add("emucc/lib/emucc/toolkit/nvvm/libdevice/README", b"There is no device code here.\n")
        description = (HERE / "python/DESCRIPTION.md").read_text(encoding="utf-8")
        metadata = METADATA.format(version=version, homepage=homepage(build)) + description
        wheel.add(f"{info}/METADATA", metadata.encode())
        wheel.add(f"{info}/WHEEL", WHEEL.format(tag=its_tag).encode())
        wheel.add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
        wheel.close()
    return path


def main():
    parser = argparse.ArgumentParser(description="Makes a wheel of emucc.")
    parser.add_argument("build", type=pathlib.Path, help="a build folder in which emucc is built")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(), help="where to put it (default: here)")
    arguments = parser.parse_args()
    if not (arguments.build / "cmake_install.cmake").is_file():
        print(f"make_wheel.py: {arguments.build} is not a build folder", file=sys.stderr)
        return 2
    if lacks := missing(arguments.build):
        print(f"make_wheel.py: no wheel is made, as this build lacks {lacks}: install it, and build again",
              file=sys.stderr)
        return 2
    try:
        print(make(arguments.build, arguments.out))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"make_wheel.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
