"""Programs for 64-bit ARM on another processor: emucc is built for ARM, and qemu runs it and its programs.

An import of tests. Of the machine it wants Debian's g++-aarch64-linux-gnu and qemu-user-static; `missing()` says what
is not there.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the tests
os.environ["EMULATOR_CLANG"] = "none"  # a second opinion costs as much as all else
EMULATOR = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77
COMPILER = "aarch64-linux-gnu-g++"
QEMU = ("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu")
WRAPPER = "#!/bin/sh\nexec {qemu} '{program}' \"$@\"\n"
# emulator-compile has g++ start it again, as its wrapper, by the name of its own file: that is also for qemu.
CROSS_COMPILER = """#!/bin/sh
for word; do
  shift
  case $word in
    */emulator-compile.arm64,*) word=${{word%.arm64,*}},${{word##*,}} ;;
  esac
  set -- "$@" "$word"
done
exec {compiler} "$@"
"""


def missing():
    """What has to be installed, for a line `SKIPPED: …`; nothing if all is there."""
    wanted = {COMPILER: "g++-aarch64-linux-gnu", QEMU[0]: "qemu-user-static", "ninja": "ninja-build",
              "dpkg-deb": "dpkg", "readelf": "binutils"}  # fmt: skip
    return ", ".join(package for program, package in wanted.items() if not shutil.which(program))


def must(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False,
                          **options)
    if done.returncode != 0:
        said = f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}"
        raise RuntimeError(said[-3000:])
    return done.stdout


def run_by_qemu(program):
    """Puts a script that runs a program in its place: then others find it by its name, and need not know of qemu."""
    real = program.with_name(program.name + ".arm64")
    program.rename(real)
    program.write_text(WRAPPER.format(qemu=" ".join(QEMU), program=real), encoding="utf-8")
    program.chmod(0o755)


def build(folder):
    """Builds emucc for ARM. What the last build has left is taken where nothing has changed."""
    folder.mkdir(parents=True, exist_ok=True)
    toolchain = EMULATOR / "cmake/arm64.cmake"
    words = ["-DEMULATOR_WERROR=ON"] if "COURSE_PRISTINE" in os.environ else []
    if shutil.which("ccache") and not os.environ.get("CCACHE_DISABLE"):
        words.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    words.append(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    must("cmake", "-S", EMULATOR, "-B", folder, "-G", "Ninja", *words)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "2")
    must("cmake", "--build", folder, "--target", "emucc", "--parallel", jobs)


def installed(root):
    """emucc for ARM, unpacked below `root`, as a command that works here."""
    run_by_qemu(root / "lib/emucc/emulator-compile")
    run_by_qemu(root / "bin/emucc")
    compiler = root / "bin/g++"
    compiler.write_text(CROSS_COMPILER.format(compiler=COMPILER), encoding="utf-8")
    compiler.chmod(0o755)
    return emucc_in(root)


def emucc_in(root):
    """The command of what installed() has left."""
    return [root / "bin/emucc", "-ccbin", root / "bin/g++"]


def compile_program(emucc, program, *words):
    """Compiles with an emucc of installed(): what is made runs by its name."""
    must(*emucc, *words, "-o", program)
    run_by_qemu(program)
