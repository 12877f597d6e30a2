#!/usr/bin/env python3
"""The emulator on 64-bit ARM, tried on another processor: arm64_test.py FOLDER

emucc is cross-compiled in FOLDER, and packed as .deb and as a wheel (FOLDER/packages). The .deb is unpacked in
FOLDER/installed; that emucc compiles programs of the corpus, each of which must find what its first lines say. All of
it runs by qemu. Exit status 77: the machine has no cross compiler, or no qemu.
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import arm64
from arm64 import EMULATOR, must

sys.path.append(str(EMULATOR / "evidence/corpus"))
import corpus_test  # noqa: E402

# Of each of these rooms of the corpus the first program with a mistake, and of two the first that has none: qemu takes
# five seconds to reserve the emulator's addresses, each time.
ROOMS = ("barriers", "bounds", "initialisation", "locks_and_flags", "masks", "races")
WITHOUT_MISTAKE = ("barriers", "races")
# What is written for one processor, by its file, and in whose words the page says what others do without.
PAGE = EMULATOR.parent / "docs/getting-started.md"
ONLY_X86 = {
    "emulator/runtime/engine/fault_address.cpp": "no memory can have",
    "chapters/17_cutensor/cpu.cpp": "chapter 17",
    "grading/witness/CMakeLists.txt": "[witness]",
}
SOURCES = (".cpp", ".hpp", ".h", ".cu", ".inl", ".txt", ".cmake")
ONE_PROCESSOR = re.compile(r"__x86_64__|STREQUAL \"x86_64\"|MATCHES \"\^\(x86_64\|AMD64\)")


def errors_of_lists():
    """Where code for x86-64 alone is not in the list, or the page does not say what it is for."""
    top = EMULATOR.parent if (EMULATOR.parent / "chapters").is_dir() else EMULATOR
    found = set()
    for folder in ("emulator", "common", "chapters", "exercises", "solutions", "grading", "cmake", "cli"):
        for path in (top / folder).rglob("*") if (top / folder).is_dir() else ():
            if path.suffix in SOURCES and "_test." not in path.name and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                if ONE_PROCESSOR.search(text) and "aarch64" not in text:
                    found.add(str(path.relative_to(top)))
    if top == EMULATOR:
        return
    yield from (f"{name} has code for x86-64 alone: say so in {PAGE.name} and here" for name in found - ONLY_X86.keys())
    yield from (f"{name} has no code for x86-64 alone" for name in ONLY_X86.keys() - found)
    section = PAGE.read_text(encoding="utf-8")
    yield from (f"{PAGE.name} does not speak of '{word}'" for word in set(ONLY_X86.values()) if word not in section)


def packages(build, out):
    """The .deb and the wheel."""
    shutil.rmtree(out, ignore_errors=True)
    must("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", build / "packed")
    must(sys.executable, "-B", EMULATOR / "tools/packaging/make_wheel.py", build, "--out", out)
    deb, = (build / "packed").glob("*.deb")
    shutil.copy(deb, out)
    wheel, = out.glob("*.whl")
    return out / deb.name, wheel


def machine_of(program):
    return re.search(r"Machine: +(.*)", must("readelf", "-h", program))[1]


def errors_of_packages(deb, wheel, root):
    """What is wrong with the packages' names and contents; the .deb is unpacked."""
    if not deb.name.endswith("_arm64.deb"):
        yield f"the .deb is called {deb.name}"
    tag = re.fullmatch(r"emucc-[\d.]+-py3-none-manylinux_2_(\d+)_aarch64\.whl", wheel.name)
    if not tag:
        yield f"the wheel is called {wheel.name}"
        return
    said = must("dpkg", "-f", deb, "Architecture", "Depends")
    if "Architecture: arm64" not in said or f"libc6 (>= 2.{tag[1]})" not in said:
        yield f"the programs want glibc 2.{tag[1]}, and the .deb says: {said}"
    shutil.rmtree(root, ignore_errors=True)
    must("dpkg", "-x", deb, root)
    for program in ("usr/bin/emucc", "usr/lib/emucc/emulator-compile"):
        if machine_of(root / program) != "AArch64":
            yield f"{program} is for {machine_of(root / program)}"
    parts = (root / "usr/lib/emucc/emucc.parts").read_text(encoding="utf-8")
    if "x86_64" in parts or "aarch64-linux-gnu" in parts:
        yield f"emucc.parts names what an ARM machine has not: {parts}"
    with zipfile.ZipFile(wheel) as archive:
        inside = {name.removeprefix("emucc/") for name in archive.namelist()}
    files = {str(path.relative_to(root / "usr")) for path in (root / "usr").rglob("*") if path.is_file()}
    lacking = [name for name in files if not name.startswith("share/") and name not in inside]
    if lacking:
        yield f"the wheel lacks {sorted(lacking)[:5]}"


def errors_of_corpus(emucc, folder):
    """What the corpus's programs do that they should not."""

    def compiled(source, _folder, _libraries, _compiler):
        program = folder / source.stem
        program.unlink(missing_ok=True)
        try:
            arm64.compile_program(emucc, program, "--look", "-std=c++20", source)
        except RuntimeError as error:
            return program, str(error)
        return program, ""

    corpus_test.build = compiled
    corpus_test.LONGEST_RUN = 300  # seconds
    here = EMULATOR / "evidence/corpus"
    sources = [sorted((here / "bugs" / room).glob("*.cu"))[0] for room in ROOMS]
    sources += [sorted((here / "correct" / room).glob("*.cu"))[0] for room in WITHOUT_MISTAKE]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for results in pool.map(lambda source: list(corpus_test.judge(source, folder, [], None)), sources):
            for program, errors, _printed, _kept in results:
                yield from (f"{program.name}: {error}" for error in errors)
    print(f"{len(sources)} programs of the corpus")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    errors = list(errors_of_lists())
    lacking = arm64.missing()
    if lacking and not errors:
        print(f"SKIPPED: not installed: {lacking}")
        return arm64.SKIPPED
    if not lacking:
        build = pathlib.Path(sys.argv[1]).resolve()
        arm64.build(build)
        deb, wheel = packages(build, build / "packages")
        errors += errors_of_packages(deb, wheel, build / "installed")
        emucc = arm64.installed(build / "installed/usr")
        print(must(*emucc, "--version").splitlines()[0])
        with tempfile.TemporaryDirectory() as folder:
            errors += errors_of_corpus(emucc, pathlib.Path(folder))
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"arm64_test: {error}")
