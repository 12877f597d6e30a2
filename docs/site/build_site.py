#!/usr/bin/env python3
"""Builds the site of the course: all pages, the sources they link to and the API reference, with a search.

    docs/site/build_site.py --out FOLDER [--source CHECKOUT] [--no-pdf]

It needs Python, doxygen and doxygen-awesome-css (Debian, Ubuntu: apt-get install doxygen doxygen-awesome-css), and no
network. With a Chromium it also prints the whole course as a PDF. What it makes works from a disk: open index.html.
The exit status is 1 if Doxygen warns, a link leads nowhere or something else is wrong with the site, and 2 if something
is missing on this machine.
"""

import argparse
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # leaves nothing beside the tools
import site_chapters  # noqa: E402
import site_check  # noqa: E402
import site_glossary  # noqa: E402
import site_home  # noqa: E402
import site_html  # noqa: E402
import site_markdown  # noqa: E402
import site_pages  # noqa: E402
import site_pdf  # noqa: E402
import site_search  # noqa: E402
import site_sources  # noqa: E402
import site_web  # noqa: E402

AWESOME = "/usr/share/doxygen-awesome-css"
MARK = ".cuda-step-by-step-site"  # in a folder that this program may empty


def pages_tool(source, *arguments):
    return subprocess.run([sys.executable, "-B", source / "tools/pages", *arguments], capture_output=True, text=True,
                          check=False)  # fmt: skip


class Site:
    """What the parts of the build share."""

    def __init__(self, source, out, phones, browser=None):
        self.source = source
        self.phones = phones  # a folder with pictures drawn for phones, by the paths of those that they stand for
        self.browser = browser  # that prints the PDF; without one there is none
        self.out = out
        self.files = source / "docs/site"
        self.theme = self.files / "theme"
        self.tokens = site_markdown.Tokens()
        self.questions = 0  # on all pages
        self.web = site_web.Web((source / "CITATION.cff").read_text(encoding="utf-8"), picture=browser is not None)
        self.explorer_cases = (self.theme / "explorer_cases.js").read_text(encoding="utf-8")
        self.sources = site_sources.Sources(source, out)
        self.pages = site_pages.collect(source)
        self.by_path = {page.path.as_posix(): page for page in self.pages}
        home = self.pages[0]
        home.path = site_pages.pathlib.PurePosixPath("README.md")  # its links are the README's
        self.by_path["README.md"] = home
        for page in self.pages:  # a link to a folder is one to its page
            if page.path.name == "README.md" and page is not home:
                self.by_path.setdefault(page.path.parent.as_posix(), page)

    def picture(self, inside, file):
        return self.sources.picture(inside, file)

    def url_of(self, inside):
        page = self.by_path.get(inside)
        return page.url if page else self.sources.url(inside)

    def page_around(self, inside, headers):
        """(url, name) of the page that a file or a folder of the repository belongs to. `headers`: of the reference."""
        path = pathlib.PurePosixPath(inside)
        if path.name in headers and path.suffix in (".hpp", ".h"):
            return headers[path.name], f"<code>{path.name}</code> in the API reference"
        if path.parts[0] == "solutions":
            path = pathlib.PurePosixPath("exercises", *path.parts[1:])
        for folder in (path, *path.parents):
            page = self.by_path.get(folder.as_posix())
            if page:
                return page.url, html.escape(page.short, quote=False)
        return "contributing.html", "Contributing"

    def text_of(self, page):
        path = self.files / "home.md" if page.group == "home" else self.source / page.path
        return path.read_text(encoding="utf-8")

    # -------------------------------------------------------------- what a page asks for: <!-- site: ... -->

    def expanded(self, text):
        """The page with the parts of the README, which are Markdown, in their places."""
        text = re.sub(r"<!-- site: readme (.+?) -->", lambda m: site_home.readme_part(self.source, m.group(1)), text)
        text = re.sub(r"<!-- address: [\w-]+ -->", "", text)  # behind links, for whoever sets the address
        text = text.replace("<!-- site: chapters -->", "## The chapters\n\n<!-- site: cards -->")
        return re.sub(r"^<!-- long table: (\w+) (\S+) -->.*?^<!-- end of long table -->", self.long_table, text,
                      flags=re.S | re.M)  # fmt: skip

    def long_table(self, match):
        """A table that is too long for a page: what is in its place says how it is made."""
        made = pages_tool(self.source, "long-table", *match.groups())
        if made.returncode != 0:
            raise site_markdown.Problem(f"{match.group()}: {made.stderr.strip()}")
        return made.stdout.strip()

    def part(self, writer, name):
        if name in ("hero", "cards"):
            return getattr(site_home, name)(self, writer)
        if name == "headers":
            return "<!--site:headers-->"
        raise site_markdown.Problem(f"{writer.page.path}: nothing is known of '<!-- site: {name} -->'")


def headers_of(source):
    """The headers of the API reference, in the order of its contents."""
    found = sorted((source / "common/lesson").glob("*.hpp"))
    first = [path for path in found if path.name == "course.hpp"]
    found = first + [path for path in found if path not in first]
    return found + [source / "emulator/include/emulator" / name for name in ("traffic.h", "findings.h")]


def draw_for_phones(source, folder):
    """Has the pictures for phones drawn; what is to complain of."""
    drawn = pages_tool(source, "phones", folder)
    print(drawn.stdout, end="")
    return [] if drawn.returncode == 0 else drawn.stderr.splitlines() or ["tools/pages phones failed"]


def run_doxygen(site, doxygen, work, headers):
    """Lets Doxygen make its pages; the lines that it has to complain of."""
    staging = work / "pages"
    text = (site.theme / "Doxyfile.in").read_text(encoding="utf-8")
    inputs = [staging, site.files / "namespaces.dox", *headers]
    values = {"WORK": work, "STAGING": staging, "SOURCE": site.source, "SITE": site.theme,
              "INPUT": " ".join(f'"{path}"' for path in inputs)}
    (work / "Doxyfile").write_text(re.sub(r"@(\w+)@", lambda m: str(values[m.group(1)]), text), encoding="utf-8")
    result = subprocess.run([doxygen, "Doxyfile"], cwd=work, capture_output=True, text=True, check=False)
    said = (result.stdout + result.stderr).splitlines()
    complaints = [line for line in said if re.search("warning|error", line, re.I)]
    log = work / "warnings.txt"
    complaints += log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    if result.returncode != 0 and not complaints:
        complaints.append(f"doxygen: exit status {result.returncode}")
    return [line for line in complaints if line.strip()]


def write_staging(site, work):
    """The pages for Doxygen. What they were made of is held against what comes out: see lost_text()."""
    staging = work / "pages"
    staging.mkdir(parents=True)
    paragraphs = {}
    for page in site.pages:
        writer = site_markdown.Writer(page, site)
        text = writer.run(site.expanded(site.text_of(page)))
        if page.group == "home":
            text = text.replace("{#index}", "{#mainpage}")
            page.description = re.sub(r"\s+", " ", writer.plain(site_home.introduction(site.source)[1]))
        (staging / f"{page.name}.md").write_text(text, encoding="utf-8")
        paragraphs[page.name] = writer.paragraphs
    return paragraphs


def words_of(text):
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = re.sub(r"^ *(?:[-*+]|\d+[.)]) ", " ", text, flags=re.M)
    return "".join(text.split())


def lost_text(page, paragraphs, content, tokens):
    """Paragraphs that Doxygen took for something else: their text is not in what it made."""
    whole = words_of(content)
    return [f"{page.path}: Doxygen changed '{' '.join(tokens.restore(paragraph).split())[:90]}'"
            for paragraph in paragraphs if words_of(tokens.restore(paragraph)) not in whole]


def tagged_files(work):
    """From Doxygen's tag file: a header's name -> its page."""
    root = xml.etree.ElementTree.parse(work / "tags.xml").getroot()
    found = {}
    for compound in root.findall("compound[@kind='file']"):
        name = compound.findtext("filename")
        found[compound.findtext("name")] = name if name.endswith(".html") else name + ".html"
    return found


def headers_of_classes(work):
    """From Doxygen's tag file: a class's page -> (name, page) of the header that declares it."""
    root = xml.etree.ElementTree.parse(work / "tags.xml").getroot()
    pages = {compound.findtext("name"): compound.findtext("filename") for compound in root.findall("compound")}
    pages = {name: file if file.endswith(".html") else file + ".html" for name, file in pages.items()}
    return {pages[one.text]: (header.findtext("name"), pages[header.findtext("name")])
            for header in root.findall("compound[@kind='file']") for one in header.findall("class")
            if one.text in pages}


def header_list(headers, work):
    """The table of headers on the API's page, each with the first sentence of its comment."""
    rows, pages = [], tagged_files(work)
    for path in headers:
        comment = re.search(r"^/// *[@\\]file\n((?:/// *\S.*\n)+)", path.read_text(encoding="utf-8"), re.M)
        text = re.sub(r"\s+", " ", comment.group(1).replace("///", " ")).strip() if comment else ""
        sentence = html.escape(re.split(r"(?<=\.) (?=[A-Z])", text)[0].rstrip(":"), quote=False)
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", sentence)
        rows.append(f'<tr><td><a href="{pages[path.name]}"><code>{path.name}</code></a></td><td>{text}</td></tr>')
    return ('<div class="table-box" tabindex="0" role="group" aria-label="Headers"><table class="data"><thead><tr>'
            f'<th scope="col">header</th><th scope="col">what it holds</th></tr></thead><tbody>'
            f'{"".join(rows)}</tbody></table></div>')


def reachable(pages, start, book):
    """Doxygen's own pages that the reference leads to; it makes others, lists of lists."""
    found, waiting = set(), [name for name in start if name in pages]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in book:
            found.add(name)
            links = re.findall(r'href="([\w-]+\.html)', pages[name])
            waiting.extend(link for link in links if link in pages)
    return found


def write_pages(site, work, paragraphs, headers, problems):
    """Takes Doxygen's pages into the site. Returns what the search is made of."""
    made = {path.name: path.read_text(encoding="utf-8") for path in (work / "html").glob("*.html")}
    contents = {name: site_html.content_of(text, name) for name, text in made.items()}
    plain = {name: site_html.api_page(content) for name, (content, _) in contents.items()}
    names = tagged_files(work)
    api = [(path.name, names[path.name]) for path in headers]
    frame = site_html.Frame((site.theme / "page.html").read_text(encoding="utf-8"), site.pages, api, site.web,
                            site.questions)
    searched = []
    for page in site.pages:
        content, missing = site_html.book_page(page, contents[page.url][0], site.tokens)
        problems.extend(missing)
        problems.extend(lost_text(page, paragraphs[page.name], content, site.tokens))
        content = content.replace("<!--site:headers-->", header_list(headers, work))
        title = f"<h1>{html.escape(page.title, quote=False)}</h1>"
        (site.out / page.url).write_text(frame(
            url=page.url, title=page.title, content=title + content, kind=page.group, description=page.description,
            steps=site_chapters.steps_to(site.pages, page),
            within=site_chapters.chapter_of(site.pages, page)[0] if page.group == "more" else "",
            toc=site_html.on_this_page(page), foot=site_html.neighbours(site.pages, page),
            text=page.path), encoding="utf-8")
        searched.append((page.title, page.url, page.group, title + content))
    book = {page.url for page in site.pages}
    headers_above = headers_of_classes(work)
    start = re.findall(r'href="(\w+\.html)', site.tokens.restore(contents["api.html"][0])) + [url for _, url in api]
    for name in sorted(reachable(plain, start, book)):
        title = contents[name][1]
        title = site_html.api_title(title)
        content = f"<h1>{html.escape(title, quote=False)}</h1>{plain[name]}"
        above = [headers_above[name]] if name in headers_above else []
        steps = [("api.html", "API reference"), *((url, header) for header, url in above),
                 ("", html.escape(title, quote=False))]
        (site.out / name).write_text(frame(
            url=name, title=title, content=content, kind="api", steps=steps,
            within=above[0][1] if above else "api.html"), encoding="utf-8")
        searched.append((title, name, "api", content))
    site.sources.write(frame, lambda inside: site.page_around(inside, names))
    problems.extend(site.web.write(site.out, frame, site.browser, site.source))
    return searched


def write_assets(site, work, awesome):
    assets = site.out / "assets"
    assets.mkdir()
    shutil.copyfile(awesome, assets / "doxygen-awesome.css")
    css = (work / "html/doxygen.css").read_text(encoding="utf-8")
    css = re.sub(r"background(?:-image)?:\s*url\([^)]*\)[^;]*;", "", css)  # pictures of a frame that is not used
    (assets / "doxygen.css").write_text(css, encoding="utf-8")
    colours = (site.theme / "colours.css").read_text(encoding="utf-8")
    dark = re.search(r"html\.dark-mode \{(.*?)\n\}", colours, re.S).group(1)
    # The dark block once more, for browsers without scripts.
    again = f"\n@media screen and (prefers-color-scheme: dark) {{\nhtml:not(.light-mode) {{{dark}\n}}\n}}\n"
    (assets / "colours.css").write_text(colours + again, encoding="utf-8")
    for path in sorted(site.theme.iterdir()):
        if path.suffix in (".css", ".js", ".svg") and path.name != "colours.css":
            shutil.copyfile(path, assets / path.name)
    return site_check.poor_contrast(colours)


def empty(out):
    """Makes room for the site; only in a new or empty folder, or in one that holds a site."""
    if out.exists() and any(out.iterdir()):
        if not (out / MARK).is_file():
            raise SystemExit(f"build_site.py: {out} holds something that is no site; name another folder")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("Made by docs/site/build_site.py, which empties this folder.\n", encoding="utf-8")


def build(source, out, doxygen, awesome, browser=None):
    problems = []
    empty(out)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        site = Site(source, out, work / "phones", browser)
        for page in site.pages:
            if page.group == "chapters":
                problems.extend(site_chapters.problems(page.path, (source / page.path).read_text(encoding="utf-8")))
        headers = headers_of(source)
        problems.extend(draw_for_phones(source, site.phones))
        paragraphs = write_staging(site, work)
        complaints = run_doxygen(site, doxygen, work, headers)
        if complaints:
            return [line.replace(f"{source}/", "").replace(f"{work}/", "") for line in complaints]
        searched = write_pages(site, work, paragraphs, headers, problems)
        problems.extend(write_assets(site, work, awesome))
    if browser:
        names = {page.url: page.name for page in site.pages}
        introduction = next(page.description for page in site.pages if page.group == "home")
        problems.extend(site_pdf.write(out, browser, site.pages, {names[url]: text for _, url, _, text in searched
                                                                  if url in names}, html.escape(introduction)))
    site_search.write_index(out / "assets/search-index.js", searched)
    glossary = next(text for _, _, kind, text in searched if kind == "glossary")
    site_glossary.write(out / "assets/glossary-terms.js", glossary)
    return problems + site_check.problems(out)


def main():
    parser = argparse.ArgumentParser(description="Builds the site of the course.")
    parser.add_argument("--out", required=True, type=pathlib.Path,
                        help="the folder for the site; emptied first if it holds a site")
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="the checkout; that of this program if left out")
    parser.add_argument("--awesome", type=pathlib.Path, default=pathlib.Path(AWESOME), metavar="FOLDER",
                        help=f"where doxygen-awesome.css lies ({AWESOME})")
    parser.add_argument("--no-pdf", action="store_true",
                        help="without the PDF of the whole course, which takes a Chromium and some seconds")
    parser.add_argument("--may-skip", action="store_true", help="without its packages: exit status 77 in place of 2")
    arguments = parser.parse_args()
    start = time.monotonic()
    source, out = arguments.source.resolve(), arguments.out.resolve()
    doxygen, awesome = shutil.which("doxygen"), arguments.awesome / "doxygen-awesome.css"
    if not doxygen or not awesome.is_file():
        missing = "Doxygen, or its style, is not here (Debian: doxygen, doxygen-awesome-css)"
        print(f"SKIPPED: {missing}" if arguments.may_skip else f"build_site.py: {missing}", file=sys.stderr)
        return 77 if arguments.may_skip else 2
    if not (source / "docs/site/theme/page.html").is_file():
        print(f"build_site.py: {source} is no checkout of the course", file=sys.stderr)
        return 2
    browser = None if arguments.no_pdf else site_pdf.find_browser()
    if not browser and not arguments.no_pdf:
        print("Without the PDF of the whole course: Chromium is not here (Debian: chromium).")
    try:
        problems = build(source, out, doxygen, awesome, browser)
    except site_markdown.Problem as problem:
        problems = [str(problem)]
    for problem in problems[:50]:
        print(problem, file=sys.stderr)
    if problems:
        print(f"build_site.py: {len(problems)} problems", file=sys.stderr)
        return 1
    pages = sum(1 for _ in out.rglob("*.html"))
    print(f"{pages} pages, {site_check.size_of(out) / 1e6:.1f} MB, in {time.monotonic() - start:.1f} s")
    print(f"The site: {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
