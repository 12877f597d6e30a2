"""Writes the address of the repository into the pages. CITATION.cff has it, and nothing else.

    python3 tools/pages address              brings every page up to date
    python3 tools/pages address URL          the repository is there from now on, say https://github.com/OWNER/NAME
    python3 tools/pages address --none       nobody knows: pages say ADDRESS, and lead to other pages instead
    python3 tools/pages address --check      changes nothing: the exit status is 1 if a page names another address

In CITATION.cff `repository-code` is the address, and `url` that of the site, if it is not GitHub's or GitLab's own. A
page names the address in two ways: `git clone ADDRESS course && cd course`, a line of code, and a link with a mark
after it, `[a codespace](...)<!-- address: codespace -->`. The marks are the names of LINKS. CMake and docs/site also
read CITATION.cff.
"""

import os
import re
import sys
import urllib.parse

from places import ROOT

CITATION = ROOT / "CITATION.cff"
CLONE = re.compile(r"^git clone (\S+) course && cd course.*$", re.MULTILINE)
MARKED = re.compile(r"(\[[^\]]+\]\()[^)]*(\)<!-- address: ([\w-]+) -->)")
UNKNOWN = "ADDRESS"
# Where a marked link leads: on GitHub, and, as a file of the repository, where the address says nothing of it.
LINKS = {
    "codespace": ("https://codespaces.new{path}", "docs/getting-started.md#in-a-browser"),
    "releases": ("{address}/releases", "docs/emucc.md#getting-it"),
    "issues": ("{address}/issues", "CONTRIBUTING.md"),
}  # fmt: skip


def field(name, text=None):
    """A field of CITATION.cff, or "": one line, in quotation marks or without."""
    text = CITATION.read_text(encoding="utf-8") if text is None else text
    found = re.search(rf'^{name}: *"?([^"\n]*?)"? *$', text, re.MULTILINE)
    return found[1] if found else ""


def is_address(text):
    return re.fullmatch(r"https://[\w.-]+(?:/[\w.~-]+)+", text) is not None


def site(address, url=""):
    """Where the site is, with a slash at its end: as CITATION.cff says, or where GitHub and GitLab have it; or ""."""
    host, _, path = address.removeprefix("https://").partition("/")
    owner, _, name = path.partition("/")
    pages = {"github.com": "github.io", "gitlab.com": "gitlab.io"}.get(host)
    if url or not pages or not name:
        return url and url.rstrip("/") + "/"
    own = f"{owner.lower()}.{pages}"
    return f"https://{own}/" if name.lower() == own else f"https://{own}/{name}/"


def target(name, page, address):
    """Where a marked link of a page leads."""
    if name not in LINKS:
        sys.exit(f"address: {page}: no link is called '{name}': there are {', '.join(LINKS)}")
    there, here = LINKS[name]
    parts = urllib.parse.urlsplit(address)
    if parts.hostname == "github.com":
        return there.format(address=address, path=parts.path)
    file, _, anchor = here.partition("#")
    return os.path.relpath(file, page.parent).replace(os.sep, "/") + (f"#{anchor}" if anchor else "")


def updated(text, page, address):
    """A page as it has to be; `page`: its path in the repository."""
    behind = "" if address else f"     # {UNKNOWN}: that of this repository"
    text = CLONE.sub(lambda _: f"git clone {address or UNKNOWN} course && cd course{behind}", text)
    return MARKED.sub(lambda found: found[1] + target(found[3], page, address) + found[2], text)


def others(text, address):
    """What a page says of the address that is not it: lines."""
    for found in re.finditer(r"git clone (\S+) course\b", text):
        if found[1] != (address or UNKNOWN):
            yield f"git clone {found[1]}: want {address or UNKNOWN}"
    name, text = address.rpartition("/")[2], MARKED.sub("", text)
    for found in re.finditer(rf"https://[\w.-]+/[\w.~-]+/{re.escape(name)}(?![\w-])", text) if name else ():
        if found[0] != address:
            yield f"{found[0]}: want {address}"


def pages():
    """Each text that may name the address."""
    return [path for path in sorted(ROOT.rglob("*.md"))
            if path.relative_to(ROOT).parts[0] not in ("build", ".git") and path.is_file()]  # fmt: skip


def rewrite(address, check):
    """Brings the pages up to date; the lines of what is wrong, or was."""
    for path in pages():
        page, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
        new = updated(text, page, address)
        if new != text:
            yield f"{page}: {'not up to date' if check else 'updated'}"
            if not check:
                path.write_text(new, encoding="utf-8")
        yield from (f"{page}: {other}" for other in others(text if check else new, address))


def set_address(address):
    text = re.sub(r"^repository-code:.*\n", "", CITATION.read_text(encoding="utf-8"), flags=re.MULTILINE)
    line = f'repository-code: "{address}"\n' if address else ""
    CITATION.write_text(re.sub(r"^(?=license:)", line, text, count=1, flags=re.MULTILINE), encoding="utf-8")


def main(arguments):
    check = arguments == ["--check"]
    if len(arguments) > 1 or (arguments and not check and arguments != ["--none"] and not is_address(arguments[0])):
        sys.exit("address: want nothing, an address like https://github.com/OWNER/NAME, --none or --check")
    if arguments and not check:
        set_address("" if arguments == ["--none"] else arguments[0].removesuffix(".git"))
    address = field("repository-code")
    if address and not is_address(address):
        sys.exit(f"address: CITATION.cff: repository-code is no address: {address}")
    wrong = list(rewrite(address, check))
    if not check and (ROOT / "README.md").is_file():  # a badge of the tests is there where they run
        import cover

        cover.main([])
    print(*wrong, f"{len(pages())} pages, the address is {address or 'not known'}", sep="\n")
    return 1 if check and wrong else 0
