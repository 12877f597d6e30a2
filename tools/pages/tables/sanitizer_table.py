"""What the emulator's checks and NVIDIA's compute-sanitizer find in the programs of
emulator/evidence/corpus: tables.py puts it between

    <!-- sanitizers: nvidia-h200 -->
    <!-- end of sanitizers -->

The name is a folder under docs/results/, whose sanitizers.json holds what the tools said on that GPU;
what the emulator says is in emulator/corpus.json, which emulator/evidence/corpus/corpus_test.py wrote.

The emulator has found a bug if it reports an error or a warning of the bug's kind; a tool, if it reports anything, be it a
warning; but a leak is not a report of another bug: memcheck takes each __managed__ variable for one.

    python3 tools/pages sanitizers IN.json OUT.json

keeps of what emulator/evidence/corpus/sanitizers.sh wrote as much as the table needs, one line per program.
"""

import json
import pathlib
import sys

import long_tables
from places import RESULTS, ROOT

import corpus_test  # isort: skip (places says where it is)
import json_rows  # isort: skip (places says where it is)

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
KINDS = ("out-of-bounds", "use-after-free", "host-pointer", "device-pointer", "misaligned", "uninitialised", "race",
         "divergent-barrier", "bad-mask", "misused-barrier", "missing-fence", "failed-kernel", "invalid-launch",
         "unchecked-error", "leak", "double-free", "invalid-free", "unordered", "freed-in-use", "unrecorded-event",
         "pageable-copy", "no-peer-access", "narrow-scope")  # fmt: skip
PROGRAMS = "../emulator/evidence/corpus"  # from a page of docs/
CORPUS = ROOT / "emulator" / "evidence" / "corpus"


def tool_found(run, bug):
    """Whether a tool has anything to say of the bug; of a program without one: anything at all. Without a number of
    errors it came to no end."""
    messages = run.get("messages", [])
    if bug not in (None, "leak") and messages and all(text.startswith("Leaked ") for text in messages):
        return False
    if run["errors"] is None:
        return bool(run.get("messages"))
    return run["errors"] > 0 or run.get("warnings", 0) > 0


def emulator_found(program):
    if program["bug"] is None:
        return any(finding["severity"] != "note" for finding in program["findings"])
    return any(f["severity"] != "note" and f["kind"] == program["bug"] for f in program["findings"])


def joined(corpus, sanitizers):
    """{name: (bug, found by the emulator, tools that found it)}; None: the tools did not run it."""
    programs = {}
    for name, program in corpus.items():
        if program["bug"] not in (None, *KINDS):
            raise ValueError(f"{name}: no such kind of bug: {program['bug']}")
        runs = sanitizers.get(name)
        tools = None if runs is None else {tool for tool in TOOLS if tool_found(runs[tool], program["bug"])}
        programs[name] = (program["bug"], emulator_found(program), tools)
    return programs


def cells(rows):
    """The figures of one line of the table."""
    compared = [tools for _, _, tools in rows if tools is not None]
    counts = [sum(tool in tools for tools in compared) for tool in TOOLS] + [sum(map(bool, compared))]
    texts = [str(len(rows)), str(sum(by_emulator for _, by_emulator, _ in rows))]
    return texts + [str(count) if compared else "–" for count in counts]


def summary(programs):
    """The table of kinds."""
    head = ["bug", "programs", "emulator", *TOOLS, "any of the four"]
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    rows = list(programs.values())
    for kind in KINDS:
        if of_kind := [row for row in rows if row[0] == kind]:
            yield "| " + " | ".join([kind, *cells(of_kind)]) + " |"
    bugs = [row for row in rows if row[0] is not None]
    yield "| " + " | ".join(f"**{text}**" for text in ["all", *cells(bugs)]) + " |"
    if correct := [row for row in rows if row[0] is None]:
        yield "| none: false alarms | " + " | ".join(cells(correct)) + " |"


def links(folder):
    """{name: from a page of docs/, its file}: which room of bugs/ or correct/ that is in, a name does not say."""
    return {f"{corpus_test.folder_of(source)}/{source.stem}": f"{PROGRAMS}/{source.relative_to(folder)}"
            for source in corpus_test.all_sources(folder)}  # fmt: skip


def each(programs, files):
    """The table of all programs."""
    yield "| program | bug | emulator | compute-sanitizer |"
    yield "|---|---|---|---|"
    for name, (bug, by_emulator, tools) in programs.items():
        emulator = "found" if by_emulator else "**not found**"
        if bug is None:
            emulator = "**false alarm**" if by_emulator else "nothing"
        others = "not run" if tools is None else ", ".join(t for t in TOOLS if t in tools) or "nothing"
        file = name.split(":")[0]  # of order/ or hopper/, where one holds several programs
        yield f"| [`{name}`]({files[file]}) | {bug or 'none'} | {emulator} | {others} |"


def note(about, programs):
    text = "; ".join(line.split(" (build")[0] for line in about) + "."
    left = sum(tools is None for _, _, tools in programs.values())
    return text + (f" {left} of the programs were not run there." if left else "")


def read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"tables: {path.name}: {error!r}")


def compared(name, results):
    """The programs, and what is below their table."""
    corpus, sanitizers = (read(results / file) for file in ("emulator/corpus.json", f"{name}/sanitizers.json"))
    try:
        programs = joined(corpus["programs"], sanitizers["programs"])
        return programs, note(sanitizers["about"], programs)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        sys.exit(f"tables: {name}/sanitizers.json, emulator/corpus.json: {error!r}")


def long_table(name, results=RESULTS, folder=CORPUS):
    """All programs."""
    programs, _ = compared(name, results)
    return long_tables.folded(f"All {len(programs)} programs", [*each(programs, links(folder))])


def block(name, results=RESULTS, folder=CORPUS):
    """What belongs between the two comments."""
    programs, below = compared(name, results)
    lines = [*summary(programs), "", below, "", *long_tables.pointer("sanitizers", name, f"All {len(programs)} programs")]
    return "\n".join(lines) + "\n"


def finding(name, results=RESULTS):
    """What the emulator printed about one program: `<!-- finding: bugs/NAME -->`."""
    corpus = read(results / "emulator" / "corpus.json")
    try:
        return "```text\n" + "\n".join(corpus["programs"][name]["printed"]).rstrip("\n") + "\n```\n"
    except (KeyError, TypeError) as error:
        sys.exit(f"tables: corpus.json: {error!r}")


def compact(report):
    """What the table needs of what emulator/evidence/corpus/sanitizers.sh wrote."""
    programs = {}
    for name, program in report["programs"].items():
        entry = {"bug": program["bug"]} if "bug" in program else {}
        for tool in TOOLS:
            run = program[tool]
            entry[tool] = {"errors": run["errors"]}
            entry[tool] |= {key: run[key] for key in ("warnings", "messages") if run.get(key)}
        programs[name] = entry
    return json_rows.text_of({"about": report["about"], "programs": programs})


def main(arguments):
    if len(arguments) != 2:
        sys.exit("sanitizers: want IN.json OUT.json")
    source, out = map(pathlib.Path, arguments)
    try:
        text = compact(json.loads(source.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"sanitizers: {source}: {error!r}")
    out.write_text(text, encoding="utf-8")
    return 0
