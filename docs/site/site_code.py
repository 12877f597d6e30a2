"""Code in pages: highlighting, listings, and a function cut out of its file by name."""

import html
import pathlib
import re

KEYWORDS = set("""alignas alignof asm auto bool break case catch char class concept const consteval constexpr
constinit const_cast continue decltype default delete do double dynamic_cast else enum explicit extern false float for
friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public
register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
this throw true try typedef typename union unsigned using virtual void volatile while""".split())
PYTHON_KEYWORDS = set("""and as assert break class continue def del elif else except False finally for from global if
import in is lambda None nonlocal not or pass raise return True try while with yield""".split())
TYPES = re.compile(r"(?:u?int(?:8|16|32|64)_t|size_t|uintptr_t|ptrdiff_t|(?:float|double|int|uint|char|uchar|short"
                   r"|ushort|long|ulong)[1-4]|dim3|cuda\w*_t|cublas\w*_t|cutensor\w*_t|cudaEvent_t|cudaStream_t)$")
BUILTINS = re.compile(r"(?:__\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|cuda[A-Z]\w*|cublas[A-Z]\w*|cutensor[A-Z]\w*"
                      r"|atomic[A-Z]\w*|CUDA_CHECK\w*)$")
CPP_TOKENS = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')
    |(?P<directive>^[ \t]*\#[ \t]*\w+)
    |(?P<launch><<<|>>>)
    |(?P<number>\b(?:0[xX][0-9a-fA-F']+|\d[\d']*\.?\d*(?:[eE][-+]?\d+)?)[a-zA-Z]*)
    |(?P<word>[A-Za-z_]\w*)""", re.X | re.M | re.S)
SHELL_TOKENS = re.compile(r"""(?P<comment>(?:^|(?<=\s))\#[^\n]*)
    |(?P<string>"(?:\\.|[^"\\])*"|'[^']*')
    |(?P<option>(?<=\s)--?[A-Za-z][\w-]*)
    |(?P<word>[A-Za-z_]\w*)""", re.X | re.M)
PYTHON_TOKENS = re.compile(r"""(?P<comment>\#[^\n]*)
    |(?P<string>\"{3}(?:.|\n)*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<number>\b\d[\w.]*)
    |(?P<word>[A-Za-z_]\w*)""", re.X | re.M)
LANGUAGES = {"cpp": "cpp", "c++": "cpp", "cuda": "cpp", "c": "cpp", "cu": "cpp", "cuh": "cpp", "hpp": "cpp", "h": "cpp",
             "inc": "cpp", "cl": "cpp", "sh": "sh", "bash": "sh", "console": "sh", "slurm": "sh", "pbs": "sh",
             "yml": "sh", "cmake": "sh", "py": "py", "python": "py"}


def language_of(path):
    """How a file is highlighted, by its name: cpp, sh, py or text."""
    path = pathlib.PurePath(path)
    return "sh" if path.name == "CMakeLists.txt" else LANGUAGES.get(path.suffix.lstrip(".").lower(), "text")


def kind_of(match, language):
    """The class of a token, a key of style.css, or nothing."""
    kind, text = match.lastgroup, match.group()
    if kind != "word":
        return {"comment": "tk-comment", "string": "tk-string", "directive": "tk-directive", "launch": "tk-builtin",
                "number": "tk-number", "option": "tk-option"}[kind]
    if language == "py":
        return "tk-keyword" if text in PYTHON_KEYWORDS else None
    if language != "cpp":
        return None
    if text in KEYWORDS:
        return "tk-keyword"
    if TYPES.match(text):
        return "tk-type"
    return "tk-builtin" if BUILTINS.match(text) else None


def highlight(text, language):
    """The text as HTML. No element goes over the end of a line, so the lines can be taken apart."""
    language = LANGUAGES.get(language, language)
    tokens = {"cpp": CPP_TOKENS, "sh": SHELL_TOKENS, "py": PYTHON_TOKENS}.get(language)
    if tokens is None:
        return html.escape(text, quote=False)
    out, end = [], 0
    for match in tokens.finditer(text):
        out.append(html.escape(text[end:match.start()], quote=False))
        end = match.end()
        kind = kind_of(match, language)
        lines = html.escape(match.group(), quote=False).split("\n")
        out.append("\n".join(f'<span class="{kind}">{line}</span>' if kind and line else line for line in lines))
    out.append(html.escape(text[end:], quote=False))
    return "".join(out)


def block(text, language):
    """A block of code of a page."""
    known = LANGUAGES.get(language, "text")
    kind = "code" if known != "text" else "code plain"  # plain: drawings, whose lines must touch
    body = highlight(text.rstrip("\n"), known)
    return f'<div class="{kind}" data-language="{known}"><pre tabindex="0"><code>{body}</code></pre></div>'


def listing(text, language, first=1, within=False):
    """Lines with their numbers; line 12 has the id L12, unless the listing is within a page."""
    def name(number):
        return "" if within else f' id="L{number}"'

    lines = highlight(text.rstrip("\n"), language).split("\n")
    body = "\n".join(f'<span class="line"{name(number)} data-n="{number}">{line}</span>'
                     for number, line in enumerate(lines, first))
    return f'<div class="code listing" data-language="{language}"><pre tabindex="0"><code>{body}</code></pre></div>'


def blanked(text):
    """The text with comments and strings replaced by spaces, at the same places."""
    def spaces(match):
        keep = match.lastgroup not in ("comment", "string")
        return match.group() if keep else re.sub(r"[^\n]", " ", match.group())
    return CPP_TOKENS.sub(spaces, text)


def closing(text, at, pair):
    """The index of the bracket that closes the one at `at`; -1 if there is none."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == pair[0]) - (text[index] == pair[1])
        if depth == 0:
            return index
    return -1


def first_line(text, code, at):
    """The number, from 0, of the line where a definition begins: its comment, and what is before the name at `at`."""
    lines, bare = text.split("\n"), code.split("\n")
    first = text.count("\n", 0, at)
    while first > 0 and lines[first - 1].strip():
        above = bare[first - 1].strip()
        if above.endswith((";", "}", "{")) or above.startswith("#") or above in ("public:", "private:"):
            break
        first -= 1
    return first


def find_function(text, name):
    """First and last line, counted from 1, of the definition of a function, or else of a class, with the comment and the
    qualifiers before it; None if the text does not define it."""
    code = blanked(text)
    for match in re.finditer(rf"\b{re.escape(name)}\s*\(", code):
        end_of_parameters = closing(code, match.end() - 1, "()")
        brace = re.match(r"\s*(?:const\s*|noexcept\s*)*\{", code[end_of_parameters + 1:])
        if end_of_parameters < 0 or not brace:
            continue
        before = code[:match.start()].rstrip()
        if before[-1:] in ("", ";", "{", "}", "(", "!", "=", ","):
            continue  # a call, not a definition: no type is before it
        end = closing(code, end_of_parameters + brace.end(), "{}")
        if end < 0:
            continue
        return first_line(text, code, match.start()) + 1, text.count("\n", 0, end) + 1
    for match in re.finditer(rf"\b(?:struct|class)\s+{re.escape(name)}\b[^;{{}}()]*\{{", code):
        end = closing(code, match.end() - 1, "{}")
        if end >= 0:
            return first_line(text, code, match.start()) + 1, text.count("\n", 0, end) + 1
    return None
