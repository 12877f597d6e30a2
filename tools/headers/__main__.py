"""Makes single headers of the course's best products, to be taken into other projects.

    python3 tools/headers FOLDER [NAME ...]

writes sgemv.hpp, sgemm.hpp and gemm_bf16.hpp (or those that are named) into FOLDER. Each is one of the chapters' headers
with all that it includes, and needs nothing but CUDA's headers and the standard library. What is in it follows from the
#include lines. Two of them in one program share what they have in common.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = ROOT / "common/lesson"

LIMITS_OF_ALL = """\
C++20. Errors are exceptions of type course::Error. All kernels are launched into the default stream, and the object
keeps buffers: so let one thread at a time use it, or give each host thread an object and compile with
nvcc's --default-stream per-thread. It chooses kernels by a model that was fitted to an H200: on other GPUs
results are as right, but the choice may not be the best. Names are in the namespaces course and {namespace};
macros begin with COURSE_, CUDA_CHECK or CUDA_WARN."""


@dataclass(frozen=True)
class Made:
    """A header to be made."""

    source: str  # the chapter's header
    title: str
    usage: str
    limits: str
    namespace: str


MADE = {
    "sgemv.hpp": Made(
        "chapters/07_cublas/best_sgemv.hpp",
        "y = A x in FP32, for an A of any shape, row-major or column-major.",
        """\
ours::Sgemv sgemv;                    // once: it has buffers
sgemv.row_major(A, x, y, m, n);       // A is m x n; all pointers are to the device's memory
sgemv.column_major(A, x, y, m, n);""",
        "Any GPU, any alignment. A has no gaps between its rows (or columns), and there is no alpha and no beta.",
        "ours"),
    "sgemm.hpp": Made(
        "chapters/20_gemm_pipeline/best_sgemm.hpp",
        "C = alpha A B + beta C in FP32 throughout, for matrices of any shape, row-major.",
        """\
ours::Sgemm sgemm;                    // once: it has buffers
sgemm(m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);  // C is m x n, A m x k, B k x n, on the device;
                                      // ld: from one row to the next, in elements""",
        """\
Any GPU, any alignment, any leading dimensions. On an H100 or H200 compile with -arch=sm_90a: code for sm_90 has no
registers to hand to the warps that multiply, and is much slower. Matrices are not transposed: for column-major ones
compute C^T = B^T A^T. The result has the same bits every time. With beta = 0, C is not read.""",
        "ours"),
    "gemm_bf16.hpp": Made(
        "chapters/22_hopper/best_gemm.hpp",
        "C = f(alpha A B + beta C + bias) in BF16 with sums in FP32, on tensor cores of an H100 or H200, row-major.",
        """\
hopper::Gemm gemm;                    // once: it has buffers
gemm({A, B, C, m, n, k, lda, ldb, ldc});  // C is m x n, A m x k, B k x n, on the device; hopper::Product, below,
                                      // says what else there is""",
        """\
Compute capability 9.0 only: compile with -arch=sm_90a. Any alignment and any leading dimensions; matrices whose rows
are not aligned to 16 bytes are copied first. Tensor cores round sums differently from FP32's additions.""",
        "hopper"),
}


class CannotMake(Exception):
    """A header that does not fit into one file."""


INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def found(name, beside):
    """The course's header of this name, as a compiler finds it from a chapter's folder."""
    for folder in (beside, SHARED):
        if (folder / name).is_file():
            return folder / name
    raise CannotMake(f'"{name}" is neither in {beside.relative_to(ROOT)} nor in {SHARED.relative_to(ROOT)}')


class Parts:
    """A header's own text and that of all that it includes, each once, and what they need of others."""

    def __init__(self, source):
        self.texts = {}  # by path, in the order in which a compiler reads them
        self.system = set()
        self._add(source)

    def _add(self, path):
        if path in self.texts:
            return
        self.texts[path] = None  # its place is after what it includes
        kept = []
        depth = 0
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            if include is None:
                if re.match(r"\s*#\s*pragma\s+once\b", line):
                    continue
                depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif\b", line))
                kept.append(line)
            elif depth > 0:
                raise CannotMake(f"{path.relative_to(ROOT)}:{number}: an #include that depends on a condition")
            elif include[1] == "<":
                self.system.add(include[2])
            else:
                self._add(found(include[2], path.parent))
        del self.texts[path]
        self.texts[path] = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def guarded(path, text):
    """A part that a program may get from two headers: it counts once."""
    name = "COURSE_PART_" + re.sub(r"\W", "_", str(path.relative_to(ROOT))).upper()
    return f"// {'-' * 64} {path.relative_to(ROOT)}\n#ifndef {name}\n#define {name}\n\n{text}\n\n#endif\n"


def commented(text):
    return "".join(f"// {line}".rstrip() + "\n" for line in text.splitlines())


def version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return re.search(r'^version: "(.+)"', citation, re.MULTILINE)[1]


def make(name):
    """The text of a header."""
    made = MADE[name]
    parts = Parts(ROOT / made.source)
    usage = "\n".join("    " + line for line in made.usage.splitlines())
    limits = made.limits + "\n" + LIMITS_OF_ALL.format(namespace=made.namespace)
    head = f"""\
{name}: {made.title}

From *CUDA, step by step*, version {version()}, made by tools/headers of {made.source}
and what it includes; its chapter explains it.

    #include "{name}"
{usage}

{limits}

{(ROOT / "LICENSE").read_text(encoding="utf-8").strip()}
"""
    system = "".join(f"#include <{header}>\n" for header in sorted(parts.system))
    sections = "\n".join(guarded(path, text) for path, text in parts.texts.items())
    return f"{commented(head)}#pragma once\n\n{system}\n{sections}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MADE]
    if unknown:
        parser.error(f"no header is called {unknown[0]}: there are {', '.join(MADE)}")
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        for name in options.names or MADE:
            (options.folder / name).write_text(make(name), encoding="utf-8")
    except (CannotMake, OSError) as error:
        print(f"tools/headers: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
