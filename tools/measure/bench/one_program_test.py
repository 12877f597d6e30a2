#!/usr/bin/env python3
"""The bench is one program of all chapters, which nvcc links only where there is a GPU. So on the emulator this test
looks at the objects of the chapters' programs: no two may define the same function, or use a type of the same name
for which the linker would keep one chapter's code.

    one_program_test.py BUILD-FOLDER
"""

import collections
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
CHAPTERS = pathlib.Path(__file__).resolve().parents[3] / "chapters"
# A type outside every namespace: what stands behind :: belongs to one. Those of cuda.h begin with CU.
GLOBAL_TYPE = re.compile(r"(?<![\w:~])(?!CU[a-z])[A-Z]\w*[a-z]\w*")
SHARED_BY_CUDA = re.compile(r"typeinfo|vtable|DW\.ref")


def objects_of_chapters(build):
    """{chapter: object file} of the chapters that the bench measures and that are built."""
    objects = {}
    for measured in sorted(CHAPTERS.glob("[0-9][0-9]_*/measure.cu")):
        chapter = measured.parent.name
        compiled = build / "chapters/CMakeFiles" / f"{chapter}.dir" / chapter / f"{chapter[3:]}.cu.o"
        if compiled.exists():
            objects[chapter] = compiled
    return objects


def symbols_of(compiled):
    """(functions that may be defined once, functions of which the linker keeps one)."""
    lines = subprocess.run(["nm", "-C", "--defined-only", str(compiled)], text=True, capture_output=True,
                           check=True).stdout.splitlines()
    named = [line.split(" ", 2)[1:] for line in lines if line[:1] != " "]
    strong = {name for kind, name in named if kind == "T" and name != "main"}
    merged = {name for kind, name in named if kind in "WV" and not SHARED_BY_CUDA.match(name)}
    return strong, merged


def clashes(symbols):
    """Lines about {chapter: (strong, merged)}."""
    functions, types = collections.defaultdict(set), collections.defaultdict(set)
    for chapter, (strong, merged) in symbols.items():
        for name in strong:
            functions[name].add(chapter)
        for name in merged:
            if found := GLOBAL_TYPE.search(name):
                types[name, found.group()].add(chapter)
    lines = {f"{name} is a function of {', '.join(sorted(of))}" for name, of in functions.items() if len(of) > 1}
    lines |= {f"{name} is a type of {', '.join(sorted(of))}" for (_, name), of in types.items() if len(of) > 1}
    return sorted(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made_up = {"01": ({"f()"}, {"std::vector<Rung>::~vector()"}),
               "02": ({"f()", "g()"}, {"std::vector<Rung>::~vector()", "std::vector<scan::Rung>::~vector()"})}
    assert clashes(made_up) == ["Rung is a type of 01, 02", "f() is a function of 01, 02"], clashes(made_up)
    objects = objects_of_chapters(pathlib.Path(sys.argv[1]))
    if len(objects) < 2:
        print("SKIPPED: fewer than two chapters are built")
        return SKIPPED
    found = clashes({chapter: symbols_of(compiled) for chapter, compiled in objects.items()})
    print("\n".join(found + [f"{len(objects)} chapters, {len(found)} names of more than one"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
