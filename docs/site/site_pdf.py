"""The whole course as one PDF: all pages but the API's, one after the other after a table of contents with page
numbers, printed by a Chromium without a window. Without a Chromium there is none, and the site has no link to it."""

import html
import pathlib
import re
import shutil
import subprocess
import tempfile

import site_pages

NAME = "cuda-step-by-step.pdf"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PARTS = {"first": "Begin here", "chapters": "Chapters", "exercises": "Exercises", "guides": "Guides",
         "glossary": "Glossary"}
STYLE = """
@page { size: A4; margin: 18mm 16mm 20mm;
  @bottom-center { content: counter(page); font: 9pt var(--font-family); color: #566058; } }
@page :first { @bottom-center { content: none; } }
body { font-size: 10.5pt; }
.contents { font-size: 10.5pt; }
.cover { padding-top: 60mm; break-after: page; }
.cover h1 { font-size: 34pt; line-height: 1.1; margin: 0 0 8mm; }
.cover p { font-size: 13pt; max-width: 130mm; }
.list { break-after: page; }
.list h2 { font-size: 20pt; margin: 0 0 6mm; }
.list h3 { margin: 5mm 0 1mm; font-size: 12pt; }
.contents .list ul { list-style: none; padding: 0; margin: 0; }
.contents .list li { display: flex; gap: 3mm; margin: .6mm 0; font-size: 10.5pt; }
.contents .list li::before { content: ""; order: 1; flex: 1; align-self: flex-end; margin-bottom: 1.6mm;
  border-bottom: 1px dotted #98a39c; }
.list li span { order: 2; min-width: 8mm; text-align: right; font-variant-numeric: tabular-nums; }
.contents .list a { text-decoration: none; color: #1d241f; font-weight: 400; }
.page > h1 { break-before: page; font-size: 22pt; }
details.more > summary { list-style: none; }
"""


def find_browser():
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def part_of(page):
    if page.group == "more":
        return "chapters"
    return "first" if page.name == site_pages.FIRST else page.group


def as_part(content, name, names):
    """A page within the book: its ids are its own, links lead to other parts of the book, or are plain text."""
    content = re.sub(r'<a class="heading-link".*?</a>', "", content, flags=re.S)
    content = re.sub(r'\bid="([^"]*)"', rf'id="{name}--\1"', content)
    content = re.sub(r'(aria-labelledby|for|headers)="([^"]*)"', "", content)

    def link(match):
        target, text = html.unescape(match.group(2)), match.group(4)
        if re.match(r"https?:", target):
            return match.group()
        page, _, anchor = target.partition("#")
        other = pathlib.PurePosixPath(page).stem if page else name
        if page and (other not in names or "/" in page):
            return text  # a listing, or the API's: not in the book
        return f'<a href="#{other}{"--" + anchor if anchor else ""}">{text}</a>'
    content = re.sub(r'<a ([^>]*?)href="([^"]*)"([^>]*)>(.*?)</a>', link, content, flags=re.S)
    content = re.sub(r'<img class="only-dark"[^>]*>', "", content)
    return f'<section class="page" id="{name}">{content.replace("<details", "<details open")}</section>'


def list_of(pages, numbers):
    """The table of contents; page numbers where they are known."""
    out = []
    for group, title in PARTS.items():
        items = "".join(f'<li><a href="#{page.name}">{html.escape(page.title, quote=False)}</a>'
                        f'<span>{numbers.get(page.name, "")}</span></li>' for page in pages if part_of(page) == group)
        out.append(f"<h3>{title}</h3><ul>{items}</ul>" if items else "")
    return f'<nav class="list" aria-label="Contents"><h2>Contents</h2>{"".join(out)}</nav>'


def book(pages, contents, introduction, numbers):
    names = {page.name for page in pages}
    sheets = "".join(f'<link rel="stylesheet" href="assets/{name}.css">'
                     for name in ("doxygen", "doxygen-awesome", "colours", "style", "wide", "explorer"))
    parts = "".join(as_part(contents[page.name], page.name, names) for page in pages)
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>CUDA, step by step</title>{sheets}'
            f"<style>{STYLE}</style></head><body><main><article class=\"contents\">"
            f'<div class="cover"><h1>CUDA, step by step</h1><p>{introduction}</p></div>{list_of(pages, numbers)}{parts}'
            "</article></main></body></html>")


def printed(browser, out, text):
    """The PDF of a page that is in the site for as long as it takes to print."""
    page = out / "book.html"
    page.write_text(text, encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / NAME
            done = subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-pdf-header-footer", "--generate-pdf-document-outline", f"--user-data-dir={folder}/profile",
                 f"--print-to-pdf={target}",
                 page.as_uri()], capture_output=True, text=True, check=False, timeout=480)
            if not target.is_file():
                said = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit status {done.returncode}"]
                raise RuntimeError(f"Chromium printed no PDF: {said[-1]}")
            return target.read_bytes()
    finally:
        page.unlink()


def pages_by_name(pdf):
    """On which page each named place is, from a PDF as Chromium writes them: its objects are plain text."""
    objects = {int(number): body for number, body in re.findall(rb"(?:^|\n)(\d+) 0 obj\s(.*?)\nendobj", pdf, re.S)}

    def leaves(number):
        body = objects.get(number, b"")
        kids = re.search(rb"/Kids\s*\[(.*?)\]", body, re.S)
        if not kids:
            return [number]
        return [leaf for kid in re.findall(rb"(\d+) 0 R", kids.group(1)) for leaf in leaves(int(kid))]

    root = re.search(rb"/Type\s*/Catalog.*?/Pages (\d+) 0 R", b"".join(
        body for body in objects.values() if b"/Catalog" in body[:200]), re.S)
    order = {leaf: at for at, leaf in enumerate(leaves(int(root.group(1))), 1)} if root else {}
    return {name.decode(): order[int(leaf)]
            for name, leaf in re.findall(rb"/([\w-]+) \[(\d+) 0 R /XYZ", pdf) if int(leaf) in order}


def write(out, browser, pages, contents, introduction):
    """Prints the book twice: where its parts are is known after the first time. Returns what is wrong."""
    pages = [page for page in pages if part_of(page) in PARTS]
    pages.sort(key=lambda page: list(PARTS).index(part_of(page)))
    try:
        numbers = pages_by_name(printed(browser, out, book(pages, contents, introduction, {})))
        pdf = printed(browser, out, book(pages, contents, introduction, numbers))
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return [f"the PDF: {error}"]
    (out / NAME).write_bytes(pdf)
    return [f"the PDF has no page for {page.path}" for page in pages if page.name not in numbers]
