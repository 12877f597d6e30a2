"""What the commands that draw share: they read a JSON file, write an SVG, and say in one line what is wrong."""

import argparse
import json
import sys


class DrawingError(Exception):
    """What was asked for cannot be drawn, with one line that says why."""


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        raise DrawingError(f"{message} (see --help)")


def add_output(parser):
    """The options that say what becomes of the picture."""
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--out", metavar="FILE.svg")
    parser.add_argument("--folder", metavar="FOLDER", default="")


def read_json(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)
    except OSError as error:
        raise DrawingError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise DrawingError(f"{path} is not JSON: {error}") from error


def write_picture(path, drawing, verdict):
    """Writes the SVG and says so; - is stdout, which then has nothing else."""
    if path == "-":
        sys.stdout.write(drawing.svg())
        return
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(drawing.svg())
    except OSError as error:
        raise DrawingError(f"cannot write {path}: {error.strerror}") from error
    print(f"{verdict}\nwrote {path}")


def run(main, name):
    try:
        main(sys.argv[1:])
    except DrawingError as refused:
        print(f"{name}: " + " ".join(str(refused).split()), file=sys.stderr)
        sys.exit(2)
