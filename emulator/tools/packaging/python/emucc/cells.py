"""What a notebook's cell asks of emucc: compile, run within limits, and show what came of it. Needs no IPython."""

import atexit
import base64
import html
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import FOLDER, PROGRAM

HELP = """%%emucc [options] [emucc's options] [more sources, objects, libraries] [-- the program's arguments]
%emucc [options] [-- the program's arguments]     the last such cell again

The cell is a whole program in CUDA C++: it is compiled, run, and its output shown. What is compiled already is not
compiled again. Lines are counted from the one below %%emucc.

  --traffic                 shows the memory traffic of each line
  --check                   looks for races, accesses out of bounds and other mistakes
  --picture [FILE:]LINE[.K] draws what a warp asks of memory at a line, by its K-th memory instruction
  --kernel NAME             whose, where several kernels have that line
  --timeline                draws what ran in which stream
  --gpu                     compiles with nvcc and runs on this machine's GPU, where none of the above is there
  --save NAME               compiles nothing: keeps the cell as a file, for other cells to include or to compile
  --name NAME.cu            what messages call the cell; cell.cu without it
  --time-limit SECONDS      how long the program may run; 60 without it
  --help                    shows this

emucc's options: emucc --help"""

FLAGS = ("--traffic", "--check", "--timeline", "--gpu", "--help")
VALUES = ("--picture", "--kernel", "--save", "--name", "--time-limit")
LOOKS = ("--traffic", "--check", "--picture")  # these need instrumented kernels
NOT_HERE = ("-c", "-dc", "-dlink", "-lib", "-o", "--run", "-run")
SOURCE = re.compile(r"\.(?:cu|c|cc|cpp|cxx)$")
LINKED = re.compile(r"^-l|^-L.|\.(?:o|a|so)$")
PICTURE = re.compile(r"(?:(?P<file>[^:]+):)?(?P<line>\d+)(?:\.(?P<instruction>\d+))?")
LISTING = "\nWhat each line of the kernels asked of the memory system.\n"
PRE = "font-family:monospace;white-space:pre;overflow-x:auto;margin:.5em 0"
COMPILING = 300  # seconds that the compiler may take for a file
# Control characters but tabs and ends of lines, and what turns the direction of writing: what nobody would see.
HIDDEN = re.compile("[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
MOST_OUTPUT = 1 << 20  # bytes: more would make the notebook slow, and its file large


def escaped(text):
    """The text as HTML."""
    return html.escape(HIDDEN.sub("\ufffd", text))


class CellError(Exception):
    """What cannot be done, in one line."""


class Options:
    """The words after %%emucc, sorted by whom they are for."""

    def __init__(self, line):
        self.own = {}  # ours: the option, and its value or True
        self.compiler = []  # emucc's or nvcc's, in their order
        self.sources = []  # beside the cell
        self.arguments = []  # the program's
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise CellError(f"{error}: {line}") from error
        if "--" in words:
            self.arguments = words[words.index("--") + 1:]
            words = words[:words.index("--")]
        words = iter(words)
        for word in words:
            name, equals, value = word.partition("=")
            if word in FLAGS:
                self.own[word] = True
            elif name in VALUES:
                self.own[name] = value if equals else next(words, "")
                if not self.own[name]:
                    raise CellError(f"{name} wants a value (%emucc --help)")
            elif word in NOT_HERE:
                raise CellError(f"{word} is not for cells, which are compiled, linked and run (%emucc --help)")
            elif SOURCE.search(word) and not word.startswith("-"):
                self.sources.append(word)
            else:
                self.compiler.append(word)
        self.check()

    def check(self):
        if "--picture" in self.own and not PICTURE.fullmatch(self.own["--picture"]):
            raise CellError("--picture wants a line and perhaps its memory instruction, as 19 or 19.2 or tiles.hpp:7")
        for name in ("--save", "--name"):
            if name in self.own and (pathlib.Path(self.own[name]).name != self.own[name] or self.own[name] == ".."):
                raise CellError(f"{name} wants the name of a file, without folders")
        if not SOURCE.search(self.own.get("--name", "cell.cu")):
            raise CellError("--name wants a name that ends in .cu")
        looking = [name for name in (*LOOKS, "--timeline") if name in self.own]
        if "--gpu" in self.own and looking:
            raise CellError(f"{looking[0]} is the emulator's: leave out --gpu")
        try:
            if not 0 < self.time_limit < 1e6:
                raise ValueError
        except ValueError:
            raise CellError("--time-limit wants seconds, more than 0") from None

    @property
    def time_limit(self):
        return float(self.own.get("--time-limit", 60))

    @property
    def looks(self):
        return any(name in self.own for name in LOOKS)

    def again(self, later):
        """These options for the same cell, as `later` wants it run."""
        self.own = {**{"--name": self.own.get("--name", "cell.cu")}, **later.own}
        self.compiler += [word for word in later.compiler if word not in self.compiler]
        self.arguments = later.arguments
        self.check()
        return self


class ProcessResult:
    """A process that has ended, or was made to."""

    def __init__(self, out, errors, status, stopped=""):
        self.out, self.errors, self.status, self.stopped = out, errors, status, stopped
        self.failed = status != 0 or bool(stopped)

    def ending(self):
        if self.stopped:
            return self.stopped
        if self.status < 0:
            return f"ended by {signal.Signals(-self.status).name}"
        return f"exit status {self.status}"


def run(command, limit=COMPILING, **settings):
    """Runs a command, and ends it and what it has started: when it is done, late or too loud, or we are interrupted."""
    environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                   env=environment, start_new_session=True)
        stopped, end, pause = "", time.monotonic() + limit, 0.002
        try:
            while process.poll() is None and not stopped:
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
                if time.monotonic() > end:
                    stopped = f"stopped after {limit:g} s"
                elif max(os.fstat(stream.fileno()).st_size for stream in (out, errors)) > MOST_OUTPUT:
                    stopped = "stopped: it prints without end"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
            process.wait()
        texts = []
        for stream in (out, errors):
            stream.seek(0)
            text = stream.read(MOST_OUTPUT).decode("utf-8", "replace")
            texts.append(text if not stopped else text[:20000])
        return ProcessResult(*texts, process.returncode, stopped)


class Outcome:
    """What a cell shows, as text and as HTML: parts, each with its kind."""

    def __init__(self):
        self.parts = []  # (kind, text): output, errors, listing, picture, ending, or wrong ending
        self.status = 0

    def add(self, kind, text):
        if text.strip():
            self.parts.append((kind, text.strip("\n") if kind != "picture" else text))
        return self

    def end(self, text, status):
        self.status = status
        return self.add("ending" if status == 0 else "wrong ending", text)

    def text(self):
        return "\n\n".join("(a picture, which needs HTML)" if kind == "picture" else text for kind, text in self.parts)

    def html(self):
        return "<div>" + "".join(getattr(self, "html_of_" + kind.replace(" ", "_"))(text)
                                 for kind, text in self.parts) + "</div>"  # fmt: skip

    @staticmethod
    def html_of_output(text):
        return f'<pre style="{PRE}">{escaped(text)}</pre>'

    html_of_listing = html_of_output

    @staticmethod
    def html_of_errors(text):
        shown = re.sub(r"^.*\b(?:error|warning): .*$", r"<b>\g<0></b>", escaped(text), flags=re.M)
        colour = "#c62828" if re.search(r"\berror: ", text) else "#e69f00"
        return f'<pre style="{PRE};border-left:4px solid {colour};padding-left:.7em">{shown}</pre>'

    @staticmethod
    def html_of_picture(svg):
        # Notebooks have themes of their own, whatever the system's is: the picture stays on white.
        svg = re.sub(r"@media \(prefers-color-scheme:dark\)\{(?:[^{}]|\{[^{}]*\})*\}", "", svg)
        title = re.search(r"<title[^>]*>(.*?)</title>", svg, re.S)
        data = base64.b64encode(svg.encode()).decode()
        return (f'<img style="max-width:100%;background:#fff" alt="{title.group(1) if title else "a drawing"}" '
                f'src="data:image/svg+xml;base64,{data}">')

    @staticmethod
    def html_of_ending(text):
        return f'<div style="opacity:.75;font-size:90%">{escaped(text)}</div>'

    @staticmethod
    def html_of_wrong_ending(text):
        return f'<div style="color:#c62828;font-weight:600">{escaped(text)}</div>'


def emucc():
    """The package's own emucc; beside no package, as in the sources, that of EMUCC or of PATH."""
    program = os.environ.get("EMUCC") or (PROGRAM if PROGRAM.is_file() else shutil.which("emucc"))
    if not program:
        raise CellError("there is no emucc: install its wheel, or name the program in the variable EMUCC")
    return program


def nvcc():
    """nvcc, and the GPU's name."""
    compiler = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not compiler:
        raise CellError("--gpu: there is no nvcc here; without --gpu the cell runs on the emulator")
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                check=True, timeout=30).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        listed = ""
    gpu = re.search(r"^GPU \d+: (.*?)(?: \(UUID|$)", listed, re.M)
    if not gpu:
        raise CellError("--gpu: nvidia-smi sees no GPU here; without --gpu the cell runs on the emulator")
    return compiler, gpu.group(1)


class Session:
    """The cells of one notebook: their files, what has been compiled of them, and which was the last.

    With a `sandbox` they are compiled and run in that, where they can write to these files only.
    """

    def __init__(self, sandbox=None):
        self.sandbox = sandbox
        self.temporary = tempfile.TemporaryDirectory(prefix="emucc-cells-")
        atexit.register(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name).resolve()
        self.objects = {}  # of a source and a command: the object, and the files that it was made of
        self.last = None

    def cell(self, line, text, runs=True):
        """%%emucc; if it does not run, it is only compiled."""
        options = Options(line)
        if "--help" in options.own:
            return Outcome().add("output", HELP)
        name = options.own.get("--save") or options.own.get("--name", "cell.cu")
        file = self.folder / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        if "--save" in options.own:
            return Outcome().end(f"{name} is there for the cells below", 0)
        self.last = line
        return self.build_and_run(options, runs)

    def again(self, line):
        """%emucc: the last cell, run in another way."""
        options = Options(line)
        if "--help" in options.own:
            return Outcome().add("output", HELP)
        if self.last is None:
            raise CellError("no cell has been run by %%emucc yet (%emucc --help)")
        for name in ("--save", "--name"):
            if name in options.own:
                raise CellError(f"{name} is for %%emucc")
        return self.build_and_run(Options(self.last).again(options))

    def build_and_run(self, options, runs=True):
        gpu = ""
        if "--gpu" in options.own:
            compiler, gpu = nvcc()
            words = [word for word in options.compiler if not re.match(r"--?(?:look|lockstep|cuda|cccl)\b", word)]
            if not any(word.startswith(("-arch", "-gencode", "--gpu")) for word in words):
                words.append("-arch=native")
        else:
            compiler, words = emucc(), list(options.compiler)
            if options.looks and "--look" not in words:
                words.append("--look")
        outcome = Outcome()
        program = self.program(compiler, words, options, outcome)
        if program is not None and not runs:
            outcome.end("compiled", 0)
        elif program is not None:
            self.run_program(program, options, f"on {gpu}" if gpu else "on the emulator", outcome)
        return outcome

    def run(self, command, limit, *writes, **settings):
        if self.sandbox is None:
            return run(command, limit, **settings)
        return self.sandbox.run(command, self.folder, limit, writes, settings)

    # ---------------------------------------------------------------- compiling

    def program(self, compiler, words, options, outcome):
        """Compiles and links; None if that failed."""
        objects = []
        for source in [options.own.get("--name", "cell.cu"), *options.sources]:
            path = self.folder / source
            made = self.object(compiler, [word for word in words if not LINKED.search(word)],
                               path if path.is_file() else pathlib.Path(source), outcome)
            if made is None:
                return None
            objects.append(made)
        program = self.folder / (pathlib.Path(options.own.get("--name", "cell.cu")).stem + ".program")
        program.unlink(missing_ok=True)
        return program if self.compiled([compiler, *objects, *words, "-o", program], outcome) else None

    def object(self, compiler, words, source, outcome):
        key = (str(source), str(compiler), *words)
        if key in self.objects and self.unchanged(*self.objects[key]):
            return self.objects[key][0]
        made = self.folder / f"{len(self.objects)}.o"
        dependencies = made.with_suffix(".d")
        if not self.compiled([compiler, *words, "-c", source, "-MD", "-MF", dependencies, "-o", made], outcome):
            return None
        files = re.sub(r"\\\n", " ", dependencies.read_text(encoding="utf-8")) if dependencies.is_file() else ""
        files = [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", files.partition(": ")[2])]
        self.objects[key] = (made, {name: os.stat(name).st_mtime_ns for name in files if os.path.exists(name)})
        return made

    @staticmethod
    def unchanged(made, files):
        return bool(files) and made.is_file() and all(
            os.path.exists(name) and os.stat(name).st_mtime_ns == then for name, then in files.items())

    def compiled(self, command, outcome):
        done = self.run(command, COMPILING, self.folder)
        outcome.add("errors", self.without_folder(done.out + done.errors))
        if done.failed:
            outcome.end(f"not compiled: {done.ending()}", done.status or 1)
        return not done.failed

    def without_folder(self, text):
        """The text with files of the cells as the cells call them."""
        return re.sub(f"(?:{re.escape(str(self.folder.parent))}/)?{re.escape(self.folder.name)}/", "", text)

    # ---------------------------------------------------------------- running

    def run_program(self, program, options, where, outcome):
        report, timeline = self.folder / "report.json", self.folder / "timeline.json"
        settings = {}
        if "--traffic" in options.own:
            settings["EMULATOR_TRAFFIC"] = 1
        if "--check" in options.own:
            settings["EMULATOR_CHECK"] = 1
        if "--picture" in options.own:
            settings["EMULATOR_REPORT"] = report
        if "--timeline" in options.own:
            settings["EMULATOR_TIMELINE"] = timeline
        written = [file for file in (report, timeline) if file in settings.values()]
        for file in written:
            file.write_bytes(b"")
        done = self.run([program, *options.arguments], options.time_limit, *written, **settings)
        output, start, listing = done.out.partition(LISTING)
        outcome.add("output", output).add("errors", self.without_folder(done.errors))
        outcome.add("listing", self.without_folder(start + listing))
        written = [file for file in written if file.stat().st_size > 0]
        if report in written:
            self.draw("access_picture.py", self.access(report, options), outcome)
        if timeline in written:
            self.draw("timeline_picture.py", [timeline], outcome)
        more = ": --time-limit SECONDS allows more" if done.stopped.startswith("stopped after") else ""
        outcome.end(f"{done.ending()}, {where}{more}", done.status or (1 if done.stopped else 0))

    @staticmethod
    def access(report, options):
        words = [report, "--kernel", options.own["--kernel"]] if "--kernel" in options.own else [report]
        for name, value in PICTURE.fullmatch(options.own["--picture"]).groupdict().items():
            words += [f"--{name}", value] if value else []
        return words

    @staticmethod
    def draw(script, words, outcome):
        """By the scripts of the wheel; in the sources they are in a room of their own."""
        folder = FOLDER / "picture" if (FOLDER / "picture").is_dir() else FOLDER.parents[2] / "picture"
        done = run([sys.executable, folder / script, *words, "--out", "-"])
        problem = done.errors.replace("with --instruction:", "with --picture LINE.K:")  # as cells have it
        outcome.add(*("errors", problem) if done.failed else ("picture", done.out))
