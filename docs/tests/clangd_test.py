#!/usr/bin/env python3
"""Tests .clangd: clangd_test.py BUILD_FOLDER, a build for the emulator, as clangd reads kernels without an error, and
finds one that is made. Exit status 77: no clangd here, or the build is not where .clangd looks for it.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A chapter with shared and one with constant memory; a stub, which no compile command is known of.
SOURCES = ("chapters/08_gemm_tiling/gemm_tiling.cu", "chapters/06_unroll/unroll.cu",
           "exercises/05b_chosen_rows/chosen_rows.cu")


def errors(source):
    """What clangd finds in a file."""
    done = subprocess.run(["clangd", f"--check={source}", "--check-lines=1-1"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd=ROOT, timeout=300)
    if not re.search(r"All checks completed, \d+ errors", done.stdout):
        return [f"clangd did not come to its end:\n{done.stdout[-2000:]}"]
    return re.findall(r"^E\[[^]]*\] (.*)", done.stdout, re.MULTILINE)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("clangd") or build != ROOT / "build/emulator":
        print("SKIPPED: no clangd here" if not shutil.which("clangd") else "SKIPPED: another build folder")
        return 77
    found = [f"{source}: {error}" for source in SOURCES for error in errors(ROOT / source)]
    with tempfile.TemporaryDirectory(dir=build) as folder:
        broken = pathlib.Path(folder) / "broken.cu"
        text = (ROOT / SOURCES[0]).read_text(encoding="utf-8")
        broken.write_text(text.replace("__syncthreads()", "__syncthread()", 1), encoding="utf-8")
        told = errors(broken)
        if not any("__syncthread" in error for error in told):
            found.append(f"a mistake is not found: {told}")
    print("\n".join(found) or f"clangd reads {len(SOURCES)} files as it should")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
