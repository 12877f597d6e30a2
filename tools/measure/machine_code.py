#!/usr/bin/env python3
"""Counts what the compiler made of a chapter's kernels: registers, and the instructions of the loop.

    tools/measure/machine_code.py NN_NAME PATTERN [--arch sm_90] [--ptx] [--tensor] [--json FILE]

compiles chapters/NN_NAME with nvcc, as its first lines say, and looks at the kernels whose names (as
demangled, "gemm_unroll<32, ByHand>") match the regular expression. Registers are what the assembler
says of itself (ptxas -v). Instructions are counted in the machine code, which cuobjdump or nvdisasm
shows: in PATH, or beside nvcc. Not every toolkit has them; without, or with --ptx, the counts are those
of PTX, the language before machine code, whose loops the assembler may still unroll. The output says
which of the two it was.

What is counted is one pass of the innermost loop that multiplies and adds. A loop that was unrolled
whole is gone, and then the loop around it is the innermost. `register_waits` are clocks of that pass in
which multiply-adds wait for their registers, by a model of an H200; machine code is needed for it. With
--tensor it is tensor cores that multiply and add, and the loads for them are counted.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves nothing beside the tools
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "emulator" / "tests"))
import json_rows  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What to count, by the first word of the instruction. In PTX the same things have other names.
SASS = {"FFMA": r"FFMA\b", "LDS": r"LDS\b", "LDG": r"LDG\b", "BAR": r"BAR\b", "BRA": r"BRA\b"}
PTX = {"FFMA": r"fma\.rn\.f32\b", "LDS": r"ld\.shared\b", "LDG": r"ld\.global\b", "BAR": r"bar(rier)?\.sync\b",
       "BRA": r"bra\b"}  # fmt: skip

TENSOR = {"HMMA": r"HMMA\b", "LDSM": r"LDSM\b", "LDS": r"LDS?\b(?! RZ, \[RZ\])", "MOVM": r"MOVM\b",
          "LDGSTS": r"LDGSTS\b", "BAR": r"BAR\b", "BRA": r"BRA\b"}  # fmt: skip


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"machine_code: {' '.join(map(str, command))}:\n{done.stderr.strip()}")
    return done.stdout + done.stderr


def find(program, nvcc):
    """In PATH, or beside nvcc."""
    beside = pathlib.Path(nvcc).resolve().parent / program
    return shutil.which(program) or (str(beside) if beside.is_file() else None)


def demangle(name):
    """gemm_unroll<32, ByHand>, without its parameters."""
    text = run(["c++filt", name]).strip()
    text = re.sub(r"^void ", "", text)
    text = re.sub(r"\(int\)|\(bool\)|tensor::", "", text).replace("> >", ">>")
    return text[: text.rindex("(")] if text.endswith(")") else text


def registers(output):
    """Of each kernel, by its mangled name, from what ptxas -v said."""
    found = {}
    for block in re.split(r"Compiling entry function '", output)[1:]:
        used = re.search(r"Used (\d+) registers", block)
        spilled = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", block)
        if used:
            found[block[: block.index("'")]] = (int(used[1]), spilled is not None and spilled[1] != "0")
    return found


def sass_functions(text):
    """Instructions of each function: (address, text), and the address that a jump goes to."""
    functions, lines = {}, None
    for line in text.splitlines():
        if name := re.match(r"\s*Function : (\S+)", line) or re.match(r"\s*\.text\.(\S+):$", line):
            lines = functions.setdefault(name[1], [])
        elif label := re.match(r"\s*(\.L\S+):", line):
            if lines is not None:
                lines.append((label[1], None))
        elif code := re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line):
            if lines is not None:
                lines.append((int(code[1], 16), code[2]))
    return {name: resolve(lines) for name, lines in functions.items() if lines}


def ptx_functions(text):
    functions = {}
    for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{\n(.*?)\n\}\n", text, re.DOTALL):
        lines = []
        for line in body.splitlines():
            line = line.strip()
            if label := re.match(r"(\$\w+):$", line):
                lines.append((label[1], None))
            elif line and not line.startswith((".", "//")):
                lines.append((len(lines), line.rstrip(";")))
        functions[name] = resolve(lines)
    return functions


def resolve(lines):
    """The instructions in order, each with the place in the list that it jumps to, or None."""
    instructions, labels, places = [], {}, {}
    for where, text in lines:
        if text is None:
            labels[where] = len(instructions)
        else:
            places[where] = len(instructions)
            instructions.append(text)

    def target(text):
        if not re.search(r"\b(BRA|bra)\b", text):
            return None
        if found := re.search(r"(\.L\w+|\$L\w+)", text):
            return labels.get(found[1])
        found = re.findall(r"\b0x([0-9a-f]+)\b", text)
        return places.get(int(found[-1], 16)) if found else None

    return [(text, target(text)) for text in instructions]


def without_predicate(text):
    return re.sub(r"^@!?%?\w+\s+", "", text)


def innermost_loop(function, patterns):
    """What is between a jump backwards and its target: of the loops that multiply and add, by the first pattern, the
    one that does little else. (An outer loop does more besides, and so does one that writes results times alpha.)"""
    multiplies = next(iter(patterns.values()))
    loops = []
    for place, (_, goal) in enumerate(function):
        if goal is not None and goal < place:
            body = [without_predicate(text) for text, _ in function[goal : place + 1]]
            if count := sum(bool(re.match(multiplies, text)) for text in body):
                loops.append((count / len(body), body))
    return max(loops, key=lambda loop: loop[0])[1] if loops else None


def width(text):
    """Elements of 4 bytes that a load fetches."""
    if "v4" in text or ".128" in text:
        return 4
    return 2 if "v2" in text or ".64" in text else 1


def registers_read(loop):
    """Of each instruction, which registers a multiply-add has to read. What the one before has read in the same place,
    and was told to keep (.reuse), need not be read again. What other instructions read is left out: they are few."""
    kept = {}
    for text in loop:
        reads = []
        for place, operand in enumerate(text.split(",")[1:4] if re.match(SASS["FFMA"], text) else []):
            found = re.match(r"\s*-?R(\d+)(\.reuse)?", operand)
            if found and kept.get(place) != found[1]:
                reads.append(int(found[1]))
            kept[place] = found[1] if found and found[2] else None
        yield reads


def register_waits(loop):
    """Clocks of one pass in which multiply-adds wait for their registers. These are in two banks, the even and the odd
    ones. Each bank can be read once a clock, and two reads of it may be queued. So a multiply-add that reads two
    registers of one bank costs nothing by itself: the queue takes one, and what comes next may leave that bank alone.
    Where too many want the same bank, the queue is full and stays full, and they wait.

    A model: it came within a few clocks of what an H200 took for loops of multiply-adds and loads. Other GPUs may have
    other banks. The first pass begins with empty queues, later ones with what the one before left: the last counts."""
    queued = [0, 0]
    for _ in range(4):
        waits = 0
        for reads in registers_read(loop):
            queued = [max(0, count - 1) for count in queued]  # an instruction is issued, which takes a clock
            for register in reads:
                queued[register % 2] += 1
            while max(queued) > 2:
                queued = [max(0, count - 1) for count in queued]
                waits += 1
    return waits


def describe(kernel, function, used, patterns):
    loop = innermost_loop(function, patterns)
    if loop is None:
        sys.exit(f"machine_code: {kernel}: no loop that multiplies and adds")
    counts = {what: sum(bool(re.match(pattern, text)) for text in loop) for what, pattern in patterns.items()}
    loads = [width(text) for text in loop if re.match(patterns["LDS"], text)]
    return {"kernel": kernel, "registers": used[0], "spills": used[1], "all_instructions": len(function),
            "loop": {"instructions": len(loop), "multiply_adds": next(iter(counts.values())), "counts": counts,
                     "floats_loaded_from_shared": sum(loads)}
            | ({"register_waits": register_waits(loop)} if patterns is SASS else {})}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Counts registers and instructions of a chapter's kernels.")
    parser.add_argument("chapter")
    parser.add_argument("pattern")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--ptx", action="store_true", help="count in PTX, disassembler or not")
    parser.add_argument("--tensor", action="store_true", help="of kernels for tensor cores")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    folder = ROOT / "chapters" / arguments.chapter
    source = folder / f"{arguments.chapter.partition('_')[2]}.cu"
    if not source.is_file():
        sys.exit(f"machine_code: no such chapter: {arguments.chapter}")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not pathlib.Path(nvcc).is_file():
        sys.exit("machine_code: nvcc was not found (in PATH, or in /usr/local/cuda/bin)")
    cuobjdump, nvdisasm = find("cuobjdump", nvcc), find("nvdisasm", nvcc)
    machine = not arguments.ptx and (cuobjdump or nvdisasm)
    if arguments.tensor and not machine:
        sys.exit("machine_code: --tensor counts in machine code, and neither cuobjdump nor nvdisasm was found")
    with tempfile.TemporaryDirectory() as work:
        cubin = f"{work}/chapter.cubin"
        compiled = [nvcc, "-std=c++20", "-O3", f"-arch={arguments.arch}", f"-I{ROOT / 'common/lesson'}", str(source)]
        used = registers(run(compiled + ["-cubin", "-Xptxas", "-v", "-o", cubin]))
        if machine:
            command = [cuobjdump, "-sass", cubin] if cuobjdump else [nvdisasm, "-c", cubin]
            functions, patterns = sass_functions(run(command)), TENSOR if arguments.tensor else SASS
        else:
            if not arguments.ptx:
                print("neither cuobjdump nor nvdisasm was found: counted in PTX", file=sys.stderr)
            run(compiled + ["-ptx", "-o", f"{work}/chapter.ptx"])
            functions, patterns = ptx_functions(pathlib.Path(f"{work}/chapter.ptx").read_text()), PTX
    kernels = []
    for name in used:
        kernel = demangle(name)
        if re.search(arguments.pattern, kernel):
            kernels.append(describe(kernel, functions[name], used[name], patterns))
    if not kernels:
        sys.exit(f"machine_code: no kernel matches {arguments.pattern}")
    kernels.reverse()  # the assembler goes from the last to the first

    version = re.search(r"V(\d+\.\d+\.\d+)", run([nvcc, "--version"]))[1]
    report = {"chapter": arguments.chapter, "backend": "nvcc", "nvcc": version, "architecture": arguments.arch,
              "code": "sass" if machine else "ptx", "kernels": kernels}  # fmt: skip
    what = f"machine code for {arguments.arch}" if machine else "PTX"
    print(f"nvcc {version}, {what}; one pass of the innermost loop that multiplies and adds")
    waits = ["waits"] if patterns is SASS else []
    print(f"{'kernel':36} {'registers':>9} " + " ".join(f"{name:>5}" for name in [*patterns, "all", *waits]))
    for row in kernels:
        loop = row["loop"]
        cells = [*loop["counts"].values(), loop["instructions"], *(loop["register_waits"] for _ in waits)]
        print(f"{row['kernel']:36} {row['registers']:9} " + " ".join(f"{cell:5}" for cell in cells)
              + ("  registers spilled" if row["spills"] else ""))  # fmt: skip
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json_rows.text_of(report), encoding="utf-8")


if __name__ == "__main__":
    main()
