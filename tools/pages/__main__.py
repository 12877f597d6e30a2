"""Writes the parts of pages that nobody types: tables, listings, pictures, plots.

    python3 tools/pages COMMAND [...]

    tables        tables, from the files in docs/results
    long-table    prints a table that is too long for a page
    kernels       functions of the chapters' programs, with the numbers of their lines
    listings      the emulator's listings, from the chapters' programs
    questions     compares the answers to the pages' questions with what the chapters' programs count
    prose         holds the numbers in the text of chapters and exercises to the rules of their form and origin
    accesses      pictures of single accesses, from the chapters' programs
    timelines     pictures of what ran in which stream, from programs' runs
    pictures      drawings that explain
    cover         the moving picture of README.md
    plots         plots of results; drawing them needs matplotlib
    words         gives the plots in the pages their words
    phones        draws the pictures for phones, which the site shows there
    modelled-api  docs/modelled-api.md, from the emulator's headers
    modelled-ptx  docs/modelled-ptx.md, from what emucc says
    transcripts   compares what ./course prints with the transcripts in the pages
    address       the address of the repository, from CITATION.cff
    hours         how long each chapter takes, by an estimate
    notebooks     notebooks of the chapters, for Jupyter and Colab
    sanitizers    what a table needs of what compute-sanitizer said

Each says more with --help. --check, which most of them have, changes nothing, and the exit status is 1 if a page is
not up to date. What cannot be done is one line on stderr and exit status 2.
"""

import importlib
import sys

sys.dont_write_bytecode = True  # leaves nothing beside the tools
import places  # noqa: E402, F401 (says where the commands are)

MODULES = {"modelled-api": "modelled_api", "modelled-ptx": "modelled_ptx", "sanitizers": "sanitizer_table",
           "long-table": "long_tables"} | {
    name: name for name in ("tables", "kernels", "listings", "questions", "prose", "accesses", "timelines", "pictures", "cover",
                             "plots", "phones", "words", "transcripts", "address", "hours",
                             "notebooks")
}


def main(arguments):
    command = arguments[0] if arguments else "--help"
    if command in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if command not in MODULES:
        print(f"pages: no command '{command}': there are {', '.join(sorted(MODULES))}", file=sys.stderr)
        return 2
    module = importlib.import_module(MODULES[command])
    if arguments[1:] in (["-h"], ["--help"]):
        print(module.__doc__.strip())
        return 0
    try:
        return module.main(arguments[1:])
    except SystemExit as left:  # a module that gives up says why
        if not isinstance(left.code, str):
            raise
        print(left.code, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
