#!/usr/bin/env python3
"""Holds emulator/README.md, which follows one access through the emulator, against what happens to that access.

    readme_test.py BUILD_FOLDER            compares; the exit status is 1 if something is not as the page says
    readme_test.py --write BUILD_FOLDER    brings the page and its picture up to date

BUILD_FOLDER is a build of the emulator. What is compared is in the page between <!-- NAME --> and <!-- end -->."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

sys.dont_write_bytecode = True  # leaves nothing beside the sources
EMULATOR = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(EMULATOR / "tools/picture"))
import access_picture  # noqa: E402
import svg  # noqa: E402

PAGE, SOURCE, PICTURE = EMULATOR / "README.md", EMULATOR / "tests/one_access.cu", EMULATOR / "tools/picture/one_access.svg"
BLOCK = re.compile(r"(<!-- (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
LINE = 10


def output(*command, folder, **environment):
    return subprocess.run(list(map(str, command)), cwd=folder, env=os.environ | environment, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def fenced(language, text):
    return f"```{language}\n{text.rstrip()}\n```\n"


def source():
    lines = SOURCE.read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if "__global__" in line)
    return "\n".join(lines[first : lines.index("}", first) + 1])


def translated(tools, folder):
    text = output(tools / "emulator-compile", "--emulator-show", "g++", *headers(tools), "-c", SOURCE, folder=folder)
    text = re.sub(r"\s+", " ", re.sub(r"(?m)^#.*$", "", text))
    shared = re.search(r"static thread_local [^;]* s\[64\][^;]*;", text)[0]
    launch = re.search(r'::emulator::launch_with\("every_second".*?\(in, out\);', text)[0]
    # The kernel as a function object, whose text is long.
    launch = re.sub(r", \[&\].*(\(in, out\);)", r", …)\1", launch)
    return "\n".join(textwrap.fill(statement, 100, subsequent_indent="    ") for statement in (shared, launch))


def calls(tools, folder):
    """The calls by which g++ reports the line's accesses."""
    output(tools / "emulator-compile", "g++", *headers(tools), "-Og", "-g", "-c", SOURCE, "-o", "one.o", folder=folder)
    places = re.split(r"(?m)^\S*/(\w+\.\w+:\d+).*$", output("objdump", "-dlr", "one.o", folder=folder))
    code = "".join(places[k + 1] for k in range(1, len(places), 2) if places[k] == f"{SOURCE.name}:{LINE}")
    return "\n".join(re.findall(r"\b__tsan_(?:read|write)\d+", code))


def headers(tools):
    return [f"-I{EMULATOR / 'include'}", f"-I{tools / 'forwarding_headers'}"]


def instruction(report):
    line = next(line for line in report["kernels"][0]["lines"] if line["line"] == LINE)
    return next(one for one in line["instructions"] if one["kind"] == "shared_load")


def readable(instruction):
    """As JSON, with no line for each number of a list."""
    text = json.dumps(instruction, indent=2)
    text = re.sub(r"\[\s+([\d,\s]+?)\s+\]", lambda found: "[" + re.sub(r"\s+", " ", found[1]) + "]", text)
    indents = (len(line) - len(line.lstrip()) + 4 for line in text.splitlines())
    return "\n".join(textwrap.fill(line, 90, subsequent_indent=" " * indent, drop_whitespace=True)
                     for line, indent in zip(text.splitlines(), indents))


def what_happens(tools, folder):
    """The page's blocks and the picture, with the data from which the site draws it for phones."""
    output(tools / "emucc", "--look", SOURCE, "-o", "one_access", folder=folder)
    listing = output("./one_access", folder=folder, EMULATOR_TRAFFIC="1", EMULATOR_CHECK="0")
    output("./one_access", folder=folder, EMULATOR_REPORT="report.json", EMULATOR_CHECK="0")
    report = json.loads((folder / "report.json").read_text())
    blocks = {
        "source": fenced("c++", source()),
        "translated": fenced("c++", translated(tools, folder)),
        "calls": fenced("text", calls(tools, folder)),
        "listing": fenced("text", listing[listing.index(" line op") :]),
        "report": fenced("json", readable(instruction(report))),
    }
    pictures = []
    for more in [], ["--phone"]:
        output(sys.executable, "-B", EMULATOR / "tools/picture/access_picture.py", "report.json", "--line", LINE, "--kind",
               "shared_load", "--out", "picture.svg", *more, folder=folder)
        pictures.append((folder / "picture.svg").read_text())
    choice = next(one for one in access_picture.read_report(folder / "report.json")
                  if one.line == LINE and one.kind == "shared_load")  # fmt: skip
    picture, narrow = svg.with_data(pictures[0], choice.data()), pictures[1]
    if access_picture.draw(access_picture.Choice(**svg.data_of(picture)), phone=True)[0].svg() != narrow:
        sys.exit("readme_test: for phones the picture's data draw another one")
    return blocks, {PICTURE: picture}


def main(arguments):
    write = arguments[:1] == ["--write"]
    if len(arguments) != 1 + write:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        blocks, pictures = what_happens(pathlib.Path(arguments[-1]).resolve() / "emulator", pathlib.Path(folder))
    page = PAGE.read_text()
    if sorted(block[1] for block in BLOCK.findall(page)) != sorted(blocks):
        print(f"{PAGE.name}: its blocks are not {', '.join(blocks)}")
        return 1
    new = BLOCK.sub(lambda block: block[1] + blocks[block[2]] + block[4], page)
    stale = []
    for path, text in ((PAGE, new), *pictures.items()):
        if path.is_file() and path.read_text() == text:
            continue
        stale.append(path.name)
        if write:
            path.write_text(text)
    print(f"{'written' if write else 'not up to date'}: {', '.join(stale)}" if stale else "up to date")
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
