"""emucc for assistants that write kernels, by the Model Context Protocol: `emucc-mcp` or `python3 -m emucc.mcp`.

A source text is compiled, run, checked and drawn in a sandbox. The package mcp is needed: pip install 'emucc[mcp]'.
"""

import argparse
import re
import shlex
import sys
import threading

from . import sandbox
from .cells import FLAGS, SOURCE, VALUES, CellError, Session

INSTRUCTIONS = """Checks CUDA C++ without a GPU: programs are compiled by emucc, and their kernels run on the CPU. Each call
takes the text of one whole program, with main(). Choose small sizes. `findings` looks for races, accesses out of bounds,
unwritten memory and the like, `traffic` shows the sectors and bank conflicts of each line as a GPU would count them.
Nothing here says how long a program takes on a GPU."""
MOST_SOURCE = 1 << 20  # characters
MOST_TEXT = 30000  # of an answer's part


def cut(text):
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n... ({len(text) - MOST_TEXT} more characters)"


class Workplace:
    """Does one thing at a time, and keeps what it has compiled as long as the source is the same."""

    def __init__(self, trust):
        self.sandbox = sandbox.Sandbox(trust)
        self.lock = threading.Lock()
        self.source = self.session = None

    def outcome(self, source, own, options, arguments, runs=True):
        if len(source) > MOST_SOURCE:
            raise CellError(f"the source has {len(source)} characters, more than {MOST_SOURCE}")
        if "\0" in source + "".join([*options, *arguments]):
            raise CellError("a text has a character 0")
        for option in options:
            if option.partition("=")[0] in (*FLAGS, *VALUES, "--") or (SOURCE.search(option) and option[:1] != "-"):
                raise CellError(f"{option} is not one of emucc's options that have a place here")
        with self.lock:
            if self.session is None or source != self.source:
                if self.session is not None:
                    self.session.temporary.cleanup()
                self.session, self.source = Session(self.sandbox), source
            line = shlex.join([*own, *options]) + " -- " + shlex.join(arguments)
            return self.session.cell(line, source, runs)


def server(trust):
    """The server with its tools, which are described to assistants by what is below them."""
    # pylint: disable=import-outside-toplevel
    from typing import Annotated

    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import EmbeddedResource, TextContent, TextResourceContents
    from pydantic import Field

    place = Workplace(trust)
    made = MCPServer("emucc", instructions=INSTRUCTIONS)
    source_text = Annotated[str, Field(description="the whole program, CUDA C++; messages call it program.cu")]
    option_list = Annotated[list[str], Field(description="options of nvcc, say -std=c++20 or -lcublas")]
    argument_list = Annotated[list[str], Field(description="the program's arguments")]
    seconds = Annotated[float, Field(gt=0, le=60, description="after which the program is ended")]

    def answer(source, own, options, arguments, limit=10.0, runs=True):
        own = ["--name=program.cu", f"--time-limit={limit}", *own]
        try:
            outcome = place.outcome(source, own, options, arguments, runs)
        except (CellError, OSError, UnicodeError) as problem:
            raise ToolError(str(problem)) from problem
        content = []
        for kind, text in outcome.parts:
            if kind != "picture":
                content.append(TextContent(type="text", text=cut(text)))
                continue
            said = " ".join(re.findall(r"<(?:title|desc)[^>]*>(.*?)</", text, re.S))
            drawing = TextResourceContents(uri="emucc://picture.svg", mime_type="image/svg+xml", text=text)
            content += [TextContent(type="text", text=said), EmbeddedResource(type="resource", resource=drawing)]
        return content

    @made.tool(structured_output=False)
    def compile(source: source_text, options: option_list = []):  # pylint: disable=redefined-builtin
        """Compiles a program, and says what the compiler says."""
        return answer(source, [], options, [], runs=False)

    @made.tool(structured_output=False)
    def run(source: source_text, arguments: argument_list = [], options: option_list = [], time_limit: seconds = 10):
        """Compiles a program and runs it: its output, its errors and its exit status."""
        return answer(source, [], options, arguments, time_limit)

    @made.tool(structured_output=False)
    def traffic(source: source_text, arguments: argument_list = [], options: option_list = [], time_limit: seconds = 10):
        """Runs a program, and shows its lines with the requests, sectors and bank conflicts of each, and advice."""
        return answer(source, ["--traffic"], options, arguments, time_limit)

    @made.tool(structured_output=False)
    def findings(source: source_text, arguments: argument_list = [], options: option_list = [], time_limit: seconds = 10):
        """Runs a program with all checks on: each mistake with its kind, its line, what else takes part, and a remedy.
        The exit status is 3 if there is an error. Without findings this run, with its data, broke no rule."""
        content = answer(source, ["--check"], options, arguments, time_limit)
        if not any(re.search(r"^emulator: (error|warning|note): |^not compiled", part.text, re.M) for part in content):
            content.insert(0, TextContent(type="text", text="The checks found nothing in this run."))
        return content

    @made.tool(structured_output=False)
    def picture(source: source_text, line: Annotated[int, Field(ge=1, description="of the source")],
                instruction: Annotated[int, Field(ge=1, description="which of the line's memory instructions")] = 1,
                kernel: Annotated[str, Field(description="whose, if several kernels have that line")] = "",
                arguments: argument_list = [], options: option_list = [], time_limit: seconds = 10):  # fmt: skip
        """Draws, as SVG, which sectors or banks a warp asks for at a line of a kernel: the worst of its requests."""
        own = [f"--picture={line}.{instruction}", *([f"--kernel={kernel}"] if kernel else [])]
        return answer(source, own, options, arguments, time_limit)

    return made


def main():
    parser = argparse.ArgumentParser(prog="emucc-mcp", description="Compiles, runs and checks CUDA C++ for assistants, "
                                     "by the Model Context Protocol on stdin and stdout.")  # fmt: skip
    parser.add_argument("--trust", action="store_true", help="programs are not confined, only limited: they can read "
                        "and write what you can, and use the network")
    arguments = parser.parse_args()
    try:
        made = server(arguments.trust)
    except ImportError as problem:
        print(f"emucc-mcp: mcp 2 is not installed ({problem}): pip install 'emucc[mcp]'", file=sys.stderr)
        return 2
    except CellError as problem:
        print(f"emucc-mcp: {problem}", file=sys.stderr)
        return 2
    made.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
