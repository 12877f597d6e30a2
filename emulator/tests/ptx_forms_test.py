#!/usr/bin/env python3
"""Which of the PTX that people write the emulator knows.

    ptx_forms_test.py EMUCC            compares with ptx_forms.tsv; the exit status is 1 if that says something else
    ptx_forms_test.py --write EMUCC    writes into ptx_forms.tsv what is known
    ptx_forms_test.py --ptx FILE       writes FILE, with the forms as PTX, to be asked of ptxas

ptx_forms.tsv has a line for each form of an instruction in the asm statements of five public repositories: its name,
and what its operands are. A letter is a register of that constraint, .f16 and the like one that the text declares, n
and imm are constants, [r] is an address, {f*4} a vector. A program around each is made here; emucc compiles them all.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FORMS = pathlib.Path(__file__).resolve().with_name("ptx_forms.tsv")
LEAST = 0.9  # of the forms that are valid, and not left to what comes later, how many are known
LETTERS = {"r": ("unsigned", "b32"), "l": ("unsigned long", "b64"), "h": ("unsigned short", "b16"),
           "f": ("float", "f32"), "d": ("double", "f64")}


def split(text):
    """The parts between commas that are in no braces or brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "{[") - (c in "}]")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


def constant(name, index):
    """A constant that fits the instruction."""
    for begin, value in (("setmaxnreg", "64"), ("cp.async.c", "16"), ("fence.proxy.tensormap", "128"),
                         ("tensormap.cp", "128"), ("tensormap", "0"), ("wgmma.wait", "0"), ("mma.sp", "0"),
                         ("redux", "-1")):
        if name.startswith(begin):
            return value
    if name.startswith("wgmma"):
        return "0" if ".sp." in name and index == 4 else "1"
    if re.match(r"bar\.|barrier\.", name):
        return "64" if index else "1"
    return "0f3F800000" if name.endswith(".f32") else "1"


class Statement:
    """An asm statement around a form."""

    def __init__(self, form):
        self.variables, self.registers, self.constants = [], [], []
        self.name, _, operands = form.partition(" ")
        if operands == "L":
            self.text = f"{self.name} L; L:"
        else:
            self.text = f"{self.name} {', '.join(self.operand(o, i) for i, o in enumerate(split(operands)))};"

    def operand(self, kind, index):
        if kind[0] in "{[":
            times = re.fullmatch(r"\{(.*)\*(\d+)\}", kind)
            parts = [times[1]] * int(times[2]) if times else split(kind[1:-1])
            return kind[0] + ", ".join(self.operand(p, index) for p in parts) + kind[-1]
        if "|" in kind:
            return "|".join(self.operand(k, index) for k in kind.split("|"))
        if kind[0] in "!-":
            return kind[0] + self.operand(kind[1:], index)
        if kind in LETTERS:
            self.variables.append(kind)
            return f"<{len(self.variables) - 1}>"
        if kind[0] == ".":
            self.registers.append(f".reg {kind} x{len(self.registers)};")
            return f"x{len(self.registers) - 1}"
        if kind == "n" and not constant(self.name, index).startswith("0f"):
            self.constants.append(constant(self.name, index))
            return f"<n{len(self.constants) - 1}>"
        return constant(self.name, index) if kind in ("n", "imm") else kind

    def cuda(self, number):
        """As a kernel, in one line."""
        text = self.text.replace("%", "%%")
        text = re.sub(r"<n(\d+)>", lambda m: f"%{len(self.variables) + int(m[1])}", text)
        text = re.sub(r"<(\d+)>", r"%\1", text)
        declared = " ".join(f"{LETTERS[kind][0]} v{i} = 0;" for i, kind in enumerate(self.variables))
        outputs = ", ".join(f'"+{kind}"(v{i})' for i, kind in enumerate(self.variables))
        inputs = ", ".join(f'"n"({value})' for value in self.constants)
        return (f"__global__ void k{number}() {{ {declared} "
                f'asm volatile("{{ {" ".join(self.registers)} {text} }}" : {outputs} : {inputs}); }}')

    def ptx(self, number):
        text = re.sub(r"<n(\d+)>", lambda m: self.constants[int(m[1])], self.text)
        text = re.sub(r"<(\d+)>", r"v\1", text)
        declared = " ".join(f".reg .{LETTERS[kind][1]} v{i};" for i, kind in enumerate(self.variables))
        return f".visible .entry k{number}() {{ {declared} {' '.join(self.registers)} {text} ret; }}"


def read():
    lines = FORMS.read_text(encoding="utf-8").splitlines()
    return ([line for line in lines if line.startswith("#")],
            [line.split("\t") for line in lines if not line.startswith("#")])


def refused(emucc, forms):
    """{number of a form: what emucc says of it}."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "forms.cu")
        source.write_text("\n".join(Statement(form).cuda(i) for i, form in enumerate(forms)) + "\n", encoding="utf-8")
        ended = subprocess.run([emucc, "-c", "-O0", "-w", "-Xcompiler", "-fmax-errors=0", source.name], cwd=folder,
                               text=True, env={**os.environ, "LC_ALL": "C"}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, check=False)
    errors = {}
    for line in ended.stdout.splitlines():
        if match := re.match(r"forms\.cu:(\d+).*?error: (.*)", line):
            errors.setdefault(int(match[1]) - 1, match[2])
    if (ended.returncode == 0) != (not errors):
        sys.exit(f"emucc ended with {ended.returncode}:\n{ended.stdout[:2000]}")
    return errors


def main(arguments):
    heading, rows = read()
    forms = [row[-1] for row in rows]
    if arguments[:1] == ["--ptx"]:
        text = "\n".join(Statement(form).ptx(i) for i, form in enumerate(forms))
        begin = ".version 9.0\n.target sm_90a\n.address_size 64\n"
        pathlib.Path(arguments[1]).write_text(f"{begin}{text}\n", encoding="utf-8")
        return 0
    errors = refused(pathlib.Path(arguments[-1]).resolve(), forms)
    if arguments[0] == "--write":
        for number, row in enumerate(rows):
            row[1] = "no" if number in errors else "yes"
        FORMS.write_text("\n".join(heading + ["\t".join(row) for row in rows]) + "\n", encoding="utf-8")
    status = 0
    for number, (valid, known, part, *_, form) in enumerate(rows):
        if known == "no" and number not in errors and part != "now":
            print(f"{form} is known by now: --write notes it")
        elif (known == "yes") != (number not in errors):
            print(f"{form}: ptx_forms.tsv says known: {known}; emucc: {errors.get(number, 'takes it')}")
            status = 1
        if valid == "no" and number not in errors:
            print(f"{form}: no GPU of compute capability 9.0 takes it, but emucc does")
            status = 1
    here = [row for row in rows if row[0] == "yes" and row[2] == "now"]
    count = sum(int(row[3]) for row in here)
    known = sum(int(row[3]) for row in here if row[1] == "yes")
    print(f"{known} of {count} forms are known: {known / count:.1%}")
    return status or known < LEAST * count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
