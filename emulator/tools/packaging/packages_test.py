#!/usr/bin/env python3
"""Makes emucc's packages, installs each into an empty folder, and uses it: packages_test.py BUILD_FOLDER --out FOLDER

Nothing may be needed of the build folder, or of the machine besides g++ (and OpenBLAS for -lcublas). lintian and
auditwheel are asked where they are there; also auditwheel in BUILD_FOLDER/packages-venv, which CI makes. The packages
are left in the folder of --out, which is emptied first.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True  # leaves nothing beside the sources
import make_wheel  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
BUILD = PLACE = PACKAGES = None
MAKES_DEB = all(map(shutil.which, ("dpkg", "dpkg-shlibdeps", "file")))

VECTORS = """#include <cstdio>
__global__ void twice(int* a, int from) { a[threadIdx.x + from] *= 2; }
int main(int argc, char**) {
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) a[i] = i;
  twice<<<1, 32>>>(a, argc - 1);
  cudaDeviceSynchronize();
  std::printf("first %d, last %d\\n", a[0], a[31]);
  cudaFree(a);
}
"""
PRODUCT = """#include <cublas_v2.h>
#include <cstdio>
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *x, result;
  cudaMallocManaged(&x, 3 * sizeof(float));
  for (int i = 0; i < 3; ++i) x[i] = i + 1;
  cublasSdot(handle, 3, x, 1, x, 1, &result);
  std::printf("%g\\n", result);
  cudaFree(x);
  cublasDestroy(handle);
}
"""


def run(*command, **environment):
    """What a program printed, its errors and its exit status. It knows where no build folder is."""
    names = {name: value for name, value in os.environ.items() if not name.startswith(("EMULATOR", "PYTHON"))}
    names["EMULATOR_CLANG"] = "none"  # a second opinion costs as much as all else
    done = subprocess.run([str(word) for word in command], cwd=PLACE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, env={**names, **environment}, timeout=300)
    return done.stdout, done.stderr, done.returncode


def must(*command):
    out, errors, status = run(*command)
    if status != 0:
        raise RuntimeError(f"{command}: status {status}\n{out}{errors}")
    return out


class Package(unittest.TestCase):
    def use(self, emucc):
        """A program with the checks on, which has a mistake if it is given an argument; without the build folder."""
        must(emucc, "--look", "vectors.cu", "-o", "vectors")
        self.assertEqual(run("./vectors", EMULATOR_CHECK="1"), ("first 0, last 62\n", "", 0))
        _, errors, status = run("./vectors", "1", EMULATOR_CHECK="1")
        self.assertIn("out-of-bounds", errors)
        self.assertEqual(status, 3)
        shown = must(emucc, "--version") + run(emucc, "--dryrun", "vectors.cu", "-lcurand")[1]
        self.assertNotIn(f"{BUILD}/", shown)

    @unittest.skipUnless(MAKES_DEB, "no dpkg-dev here")
    def test_deb(self):
        package, = PACKAGES.glob("emucc_*.deb")
        root = PLACE / "root"
        must("dpkg", "-x", package, root)
        self.use(root / "usr/bin/emucc")
        # Nothing runs when it is installed.
        must("dpkg", "-e", package, PLACE / "control")
        self.assertEqual(sorted(os.listdir(PLACE / "control")), ["control", "md5sums"])
        self.assertRegex(must("dpkg", "-f", package, "Depends"), r"^g\+\+ \(>= 4:11\) \| .*libc6 \(>= 2\.\d+\)")
        self.assertTrue((root / "usr/share/man/man1/emucc.1.gz").is_file())

    @unittest.skipUnless(MAKES_DEB and shutil.which("lintian"), "no lintian here")
    def test_lintian_finds_no_error(self):
        package, = PACKAGES.glob("emucc_*.deb")
        out, errors, _ = run("lintian", "--allow-root", "--fail-on", "none", package)
        self.assertEqual([line for line in (out + errors).splitlines() if line.startswith(("E:", "W:"))], [])

    def test_where_the_sources_are(self):
        """What CMake was given, the packages say; without a word they say nothing."""
        said = make_wheel.homepage(BUILD)
        wheel, = PACKAGES.glob("emucc-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            name, = (name for name in archive.namelist() if name.endswith("/METADATA"))
            lines = archive.read(name).decode().splitlines()
        self.assertEqual([line for line in lines if line.startswith("Project-URL:")], said.splitlines())
        if MAKES_DEB:
            package, = PACKAGES.glob("emucc_*.deb")
            self.assertEqual(must("dpkg", "-f", package, "Homepage").strip(), said.strip().rpartition(", ")[2])
        config = PLACE / "CPackConfig.cmake"
        for line, told in (('set(CPACK_PACKAGE_HOMEPAGE_URL "https://a.b/c")', "Project-URL: Source, https://a.b/c\n"),
                           ('set(CPACK_PACKAGE_HOMEPAGE_URL "")', "")):  # fmt: skip
            config.write_text(f"{line}\n", encoding="utf-8")
            self.assertEqual(make_wheel.homepage(PLACE), told)

    def test_what_lacks_a_part_is_not_made(self):
        folder = PLACE / "lacks a part"
        folder.mkdir()
        config = (BUILD / "CPackConfig.cmake").read_text(encoding="utf-8")
        self.assertEqual(make_wheel.missing(BUILD), "")
        (folder / "CPackConfig.cmake").write_text(
            re.sub(r'(CPACK_EMUCC_MISSING) "".', r'\1 "cuFFT")', config), encoding="utf-8")
        (folder / "cmake_install.cmake").touch()
        _, errors, status = run(sys.executable, HERE / "make_wheel.py", folder)
        self.assertEqual((status, errors.count("\n"), "this build lacks cuFFT" in errors), (2, 1, True))
        out, errors, status = run("cpack", "--config", folder / "CPackConfig.cmake", "-G", "TGZ", "-B", folder)
        self.assertNotEqual(status, 0)
        self.assertIn("this build lacks cuFFT", " ".join((out + errors).split()))
        self.assertEqual(list(folder.glob("*.tar.gz")), [])

    def test_archive_works_from_any_folder(self):
        archive, = PACKAGES.glob("emucc-*.tar.gz")
        folder = PLACE / "it's any folder"
        folder.mkdir()
        must("tar", "-xzf", archive, "-C", folder, "--strip-components=1")
        self.use(folder / "bin/emucc")
        version = must(folder / "bin/emucc", "--version")
        self.assertEqual(must(folder / "lib/emucc/toolkit/bin/nvcc", "--version"), version)
        script, = re.findall(r"^In gdb .*gdb -x (.*) --args", must(folder / "bin/emucc", "--help"), re.MULTILINE)
        self.assertEqual(must("sh", "-c", f"ls {script}").strip(), f"{folder}/lib/emucc/gdb/emulator.py")
        self.assertTrue((folder / "lib/emucc/gdb/emulator_lanes.py").is_file())

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "no python3-venv here")
    def test_wheel(self):
        wheel, = PACKAGES.glob("emucc-*.whl")
        self.assertRegex(wheel.name, r"^emucc-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")
        venv = PLACE / "an empty venv"
        must(sys.executable, "-m", "venv", venv)
        must(venv / "bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        self.use(venv / "bin/emucc")
        version = must(venv / "bin/emucc", "--version")
        self.assertEqual(must(venv / "bin/python", "-m", "emucc", "--version"), version)
        nvcc, = venv.glob("lib/python*/site-packages/emucc/lib/emucc/toolkit/bin/nvcc")
        self.assertEqual(must(nvcc, "--version"), version)
        self.assertTrue((venv / "share/man/man1/emucc.1.gz").is_file())
        files = sorted(path.name for path in nvcc.parents[4].glob("*.py"))
        self.assertEqual(files, ["__init__.py", "__main__.py", "cells.py", "mcp.py", "notebook.py", "sandbox.py"])
        # A cell of a notebook, with a picture; of IPython there is nothing here.
        cell = ("from emucc import cells; "
                "print(cells.Session().cell('--picture 2.1', open('vectors.cu').read()).html())")
        self.assertIn("data:image/svg+xml", must(venv / "bin/python", "-B", "-c", cell))
        # The server for assistants says what it needs; a wheel alone needs nothing.
        asked = run(venv / "bin/emucc-mcp")
        self.assertEqual((asked[0], asked[2]), ("", 2))
        self.assertRegex(asked[1], r"^emucc-mcp: .*pip install 'emucc\[mcp\]'\n$")
        must(venv / "bin/pip", "uninstall", "--quiet", "--yes", "emucc")
        self.assertEqual([str(path) for path in venv.rglob("*emucc*") if path.is_file()], [])

    def test_auditwheel_agrees_with_the_tag(self):
        wheel, = PACKAGES.glob("emucc-*.whl")
        auditwheel = BUILD / "packages-venv/bin/auditwheel"
        auditwheel = auditwheel if auditwheel.is_file() else shutil.which("auditwheel")
        if not auditwheel:
            self.skipTest("no auditwheel here")
        tag = wheel.stem.split("-")[-1]
        shown = " ".join(must(auditwheel, "show", wheel).split())
        self.assertIn(f'is consistent with the following platform tag: "{tag}"', shown)


class Surroundings(unittest.TestCase):
    """What an installed emucc finds on a machine, or does not."""

    @classmethod
    def setUpClass(cls):
        cls.prefix = PLACE / "prefix"
        must("cmake", "--install", BUILD, "--component", "emucc", "--prefix", cls.prefix)
        cls.emucc = cls.prefix / "bin/emucc"

    def stand_in(self, name, text):
        """A folder for PATH with a program of that name."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=PLACE))
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
        return folder

    def test_cublas_by_the_name_that_programs_ask_for(self):
        _, errors, status = run(self.emucc, "product.cu", "-o", "product", "-lcublas")
        if "libopenblas.so.0 is not installed" in errors:
            self.skipTest("OpenBLAS is not where the compiler looks")
        self.assertEqual((errors, status), ("", 0))
        self.assertEqual(run(PLACE / "product"), ("14\n", "", 0))

    def test_without_openblas_one_line_says_what_to_install(self):
        gxx = shutil.which("g++")
        folder = self.stand_in("g++", f'case $1 in -print-file-name=*) echo "${{1#*=}}" ;; *) exec {gxx} "$@" ;; esac')
        path = f"{folder}:{os.environ['PATH']}"
        out, errors, status = run(self.emucc, "product.cu", "-lcublas", PATH=path)
        parts = (self.prefix / "lib/emucc/emucc.parts").read_text(encoding="utf-8")
        if "-l:libopenblas.so.0" not in parts:
            self.skipTest("this build has an OpenBLAS of its own")
        self.assertEqual((out, status), ("", 2))
        self.assertRegex(errors, r"^emucc: -lcublas computes with OpenBLAS, .*apt install libopenblas0.*\n$")
        # A machine that has it elsewhere says so. It is not looked into before it is linked.
        (folder / "libopenblas.so.0").touch()
        shown = run(self.emucc, "--dryrun", "product.cu", "-lcublas", f"-L{folder}", PATH=path)
        self.assertEqual(shown[2], 0)
        self.assertIn("-l:libopenblas.so.0", shown[1])

    def test_without_a_new_enough_gxx_one_line_says_so(self):
        old = self.stand_in("g++", "echo 10.2.0")
        out, errors, status = run(self.emucc, "vectors.cu", PATH=str(old))
        self.assertEqual((out, status), ("", 2))
        self.assertRegex(errors, r"^emucc: no g\+\+ 11 or newer is installed .*\n$")
        self.assertIn("cannot compile: no g++ 11", run(self.emucc, "--version", PATH=str(old))[0])
        # A newer one beside it is found by its name.
        shutil.copy(self.stand_in("g++-12", "echo 12.2.0") / "g++-12", old)
        self.assertIn("compiles with g++-12, version 12.2.0", run(self.emucc, "--version", PATH=str(old))[0])

    def test_version_names_commit_and_compiler(self):
        line = must(self.emucc, "--version").splitlines()[0]
        self.assertRegex(line, r"^emucc \d+\.\d+(, commit [0-9a-f]+)?, built with g\+\+ \d+\.\d+\.\d+$")
        commit = (BUILD / "emulator/emucc.commit").read_text(encoding="utf-8").strip()
        self.assertEqual(", commit" in line, commit != "")
        self.assertIn(commit, line)

    def test_a_tarball_of_the_sources_knows_its_commit(self):
        tarball = PLACE / "sources.tar"
        sources = HERE.parents[1]
        if run("git", "-C", sources, "archive", "--output", tarball, "HEAD", "cmake")[2] != 0:
            self.skipTest("git does not know this folder")
        unpacked = PLACE / "sources"
        unpacked.mkdir()
        must("tar", "-xf", tarball, "-C", unpacked)

        def written():
            must("cmake", "-D", f"SOURCE={unpacked}", "-D", f"OUTPUT={PLACE}/commit", "-P",
                 sources / "cmake/commit.cmake")
            return (PLACE / "commit").read_text(encoding="utf-8").strip()

        known = must("git", "-C", sources, "rev-parse", "HEAD").strip()
        self.assertTrue(written() and known.startswith(written()), f"{written()} for {known}")
        must("cmake", "-D", f"SOURCE={sources}", "-D", f"OUTPUT={PLACE}/commit", "-P", sources / "cmake/commit.cmake")
        self.assertEqual((PLACE / "commit").read_text(encoding="utf-8").strip(), known[:10])
        shutil.copy(sources / "cmake/commit.txt", unpacked / "cmake")
        self.assertEqual(written(), "")


class Texts(unittest.TestCase):
    """The manual page and the completions, held against what --help says."""

    @classmethod
    def setUpClass(cls):
        cls.folder = BUILD / "emulator/tools/packaging"
        if not cls.folder.is_dir():
            cls.folder = BUILD / "tools/packaging"
        text = must(BUILD / "emulator/emucc", "--help")
        honoured, _, rest = text.partition("Taken and without effect:")
        cls.options = re.findall(r"^  (-[-\w]+=?)(?:, (-[-\w]+))?", honoured, re.MULTILINE)
        cls.others = re.findall(r"(?<=\s)--?\w[-\w]*", rest.partition("In gdb")[0])

    def test_manual_has_every_option(self):
        self.assertGreater(len(self.options), 30)
        page = (self.folder / "emucc.1").read_text(encoding="utf-8").replace("\\-", "-")
        for names in self.options:
            line = "\\fB" + "\\fR, \\fB".join(name for name in names if name) + "\\fR"
            self.assertIn(f".TP\n{line}", page)
        for name in self.others:
            self.assertIn(f"\n\\fB{name}\\fR", page)
        self.assertNotIn("@", page.partition(".SH NAME")[2])

    def test_manual_has_every_setting(self):
        page = (self.folder / "emucc.1").read_text(encoding="utf-8")
        settings = set()
        for file in HERE.parents[1].rglob("*.cpp"):
            if not file.name.endswith("_test.cpp"):
                settings |= set(re.findall(r'"(EMULATOR_[A-Z]+)"', file.read_text(encoding="utf-8")))
        self.assertIn("EMULATOR_CHECK", settings)
        self.assertEqual([name for name in sorted(settings) if name not in page], [])

    def completed(self, *words):
        script = f'. "{self.folder}/emucc.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _emucc; '
        return must("bash", "-c", script + 'echo "${COMPREPLY[@]}"', "bash", "emucc", *words).split()

    def test_bash_completes(self):
        self.assertEqual(self.completed("--loo"), ["--look"])
        self.assertEqual(self.completed("-std", "c++2"), ["c++20", "c++23"])
        self.assertEqual(self.completed("vectors.c"), ["vectors.cu"])
        offered = self.completed("-")
        for names in self.options:
            for name in filter(None, names):
                self.assertIn(name, offered)

    def test_zsh_and_fish_take_theirs(self):
        for shell, file in (("zsh", "_emucc"), ("fish", "emucc.fish")):
            text = (self.folder / file).read_text(encoding="utf-8")
            for name in ("look", "std", "default-stream"):
                self.assertIn(name, text)
            if shutil.which(shell):
                self.assertEqual(run(shell, "-n", self.folder / file)[1:], ("", 0))


def main():
    global BUILD, PLACE, PACKAGES
    if len(sys.argv) < 4 or sys.argv[2] != "--out":
        print("usage: packages_test.py BUILD_FOLDER --out FOLDER [TEST...]", file=sys.stderr)
        sys.exit(2)
    BUILD, PACKAGES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        PLACE = pathlib.Path(temporary) / "work"
        shutil.rmtree(PACKAGES, ignore_errors=True)
        PLACE.mkdir()
        (PLACE / "vectors.cu").write_text(VECTORS, encoding="utf-8")
        (PLACE / "product.cu").write_text(PRODUCT, encoding="utf-8")
        kinds = "TGZ;DEB" if MAKES_DEB else "TGZ"
        must("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", PACKAGES, "-G", kinds)
        shutil.rmtree(PACKAGES / "_CPack_Packages")
        must(HERE / "make_wheel.py", BUILD, "--out", PACKAGES)
        unittest.main(argv=[sys.argv[0], "-v", *sys.argv[4:]])


if __name__ == "__main__":
    main()
