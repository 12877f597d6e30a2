#!/usr/bin/env python3
"""Tests emucc's server for assistants with a real client: mcp_test.py EMUCC VENV. Exit status 77: VENV has no mcp.

CI makes the environment by prepare.py of the site's tests, from notebook-requirements.txt.
"""

import asyncio
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "python"))
# What it does depends on its argument. Each way to compile costs a second.
PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>
__global__ void twice(int* a, int from) { a[threadIdx.x + from] *= 2; }
bool opens(const std::string& file) { return std::ofstream(file, std::ios::app).is_open(); }
int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  while (what == "wait") {}
  while (what == "print") std::puts("again and again");
  if (what == "take") return std::calloc(1, 4ull << 30) == nullptr ? 7 : 0;
  if (what == "fill") {
    std::ofstream file("/tmp/large");
    for (int i = 0; i < 100 && file; ++i) file << std::string(1 << 20, 'x') << std::flush;
    return file ? 0 : 7;
  }
  if (what == "split") {
    for (int i = 0; i < 5000; ++i) {
      const pid_t child = fork();
      if (child < 0) return 7;
      if (child == 0) { pause(); _exit(0); }
    }
    return 0;
  }
  if (what == "look") {
    std::printf("reads %d, writes %d%d%d, interfaces %d, secret %d, in /tmp %d\\n", std::ifstream("/etc/passwd").is_open(),
                opens("/usr/x"), opens(argv[0]), opens(std::string(argv[0]) + ".more"),
                int(std::system("test $(wc -l < /proc/net/dev) -gt 3") == 0), std::getenv("SECRET") != nullptr,
                opens("/tmp/x"));
    return 0;
  }
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) a[i] = i;
  twice<<<1, 32>>>(a, argc - 1);
  cudaDeviceSynchronize();
  std::printf("first %d, last %d\\n", a[0], a[31]);
  cudaFree(a);
}
"""
CALLS = {
    "compiled": ("compile", {"source": PROGRAM}),
    "plain": ("run", {"source": PROGRAM}),
    **{what: ("run", {"source": PROGRAM, "arguments": [what], "time_limit": 1 if what == "wait" else 20})
       for what in ("look", "wait", "print", "take", "fill", "split")},
    "clean": ("findings", {"source": PROGRAM}),
    "found": ("findings", {"source": PROGRAM, "arguments": ["too far"]}),
    "traffic": ("traffic", {"source": PROGRAM}),
    "picture": ("picture", {"source": PROGRAM, "line": 6, "instruction": 1}),
    "no picture": ("picture", {"source": PROGRAM, "line": 1}),
    "wrong": ("compile", {"source": "int main() { return x; }\n"}),
}  # fmt: skip
REFUSED = {
    "no source": ("run", {}),
    "a number": ("run", {"source": 7}),
    "too long": ("compile", {"source": "/" * (1 << 20) + "/"}),
    "character 0": ("compile", {"source": "int main() {}\0"}),
    "cell's option": ("run", {"source": PROGRAM, "options": ["--gpu"]}),
    "a source": ("run", {"source": PROGRAM, "options": ["/tmp/other.cu"]}),
    "object only": ("run", {"source": PROGRAM, "options": ["-c"]}),
    "too late": ("run", {"source": PROGRAM, "time_limit": 1000}),
    "line 0": ("picture", {"source": PROGRAM, "line": 0}),
    "no such tool": ("measure", {"source": PROGRAM}),
}  # fmt: skip


async def session(calls):
    """The tools' names, and each call's answer: whether it is an error, and its parts."""
    # pylint: disable=import-outside-toplevel
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    environment = {"PYTHONPATH": str(HERE / "python"), "PYTHONDONTWRITEBYTECODE": "1", "SECRET": "of ours"}
    how = StdioServerParameters(command=sys.executable, args=["-m", "emucc.mcp"], env={**os.environ, **environment})
    answers = {}
    with open(os.devnull, "w", encoding="utf-8") as log:
        async with Client(stdio_client(how, errlog=log)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            for name, (tool, arguments) in calls.items():
                answer = await client.call_tool(tool, arguments)
                answers[name] = (bool(answer.is_error), answer.content)
    return names, answers


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.names, cls.answers = asyncio.run(session({**CALLS, **REFUSED}))

    def text(self, name):
        wrong, parts = self.answers[name]
        text = "\n".join(part.text for part in parts if part.type == "text")
        self.assertEqual(wrong, name in REFUSED, text)
        return text

    def test_tools(self):
        self.assertEqual(sorted(self.names), ["compile", "findings", "picture", "run", "traffic"])

    def test_compiling_and_running(self):
        self.assertEqual(self.text("compiled"), "compiled")
        self.assertRegex(self.text("wrong"), r"program\.cu:1:21: error: .x. was not declared[^$]*not compiled: exit st")
        self.assertEqual(self.text("plain"), "first 0, last 62\nexit status 0, on the emulator")

    def test_looking(self):
        self.assertIn("found nothing in this run", self.text("clean"))
        found = self.text("found")
        self.assertRegex(found, r"error: out-of-bounds: [^$]*program\.cu:6: read by thread [^$]*to fix it: ")
        self.assertIn("exit status 3", found)
        self.assertRegex(self.text("traffic"), r"6 ld +1 +4\.0/4\.0 +100%")
        self.assertIn("32 of 32 lanes take part", self.text("picture"))
        drawing, = (part.resource for part in self.answers["picture"][1] if part.type == "resource")
        self.assertEqual(drawing.mime_type, "image/svg+xml")
        self.assertTrue(drawing.text.startswith("<svg"))
        self.assertNotIn("resource", [part.type for part in self.answers["no picture"][1]])
        self.assertRegex(self.text("no picture"), "access_picture.py: .*line 1")

    def test_walls(self):
        self.assertIn("reads 0, writes 000, interfaces 0, secret 0, in /tmp 1\n", self.text("look"))

    def test_limits(self):
        self.assertIn("stopped after 1 s", self.text("wait"))
        self.assertIn("stopped: it prints without end", self.text("print"))
        self.assertLess(len(self.text("print")), 32000)
        for what in ("take", "fill", "split"):
            self.assertIn("exit status 7", self.text(what), what)

    def test_what_is_refused(self):
        for name in REFUSED:
            self.assertTrue(self.text(name), name)
            self.assertNotIn("Traceback", self.text(name))
        self.assertIn("Field required", self.text("no source"))
        self.assertIn("--gpu is not one of emucc's options", self.text("cell's option"))
        self.assertIn("-c is not for cells", self.text("object only"))
        self.assertIn("less than or equal to 60", self.text("too late"))


def main():
    if len(sys.argv) < 3:
        print("usage: mcp_test.py EMUCC VENV", file=sys.stderr)
        return 2
    python = pathlib.Path(sys.argv[2]) / "bin/python"
    if sys.argv[3:] != ["--there"]:
        there = python.is_file() and subprocess.run([python, "-c", "import mcp.server.mcpserver"], check=False,
                                                    stderr=subprocess.DEVNULL).returncode == 0  # fmt: skip
        if not there:
            print("SKIPPED: no mcp here (emulator/tools/packaging/notebook-requirements.txt)")
            return 77
        os.execv(python, [python, "-B", __file__, *sys.argv[1:3], "--there"])
    os.environ.update(EMUCC=sys.argv[1], EMULATOR_CLANG="none")
    # pylint: disable=import-outside-toplevel
    from emucc.cells import CellError
    from emucc.sandbox import Sandbox

    try:
        Sandbox()
    except CellError as problem:
        print(f"SKIPPED: {problem}")
        return 77
    unittest.main(argv=sys.argv[:1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
