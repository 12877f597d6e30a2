"""Checks of what is on the pages: nothing too wide, no errors, no requests, no link that leads nowhere."""

import html.parser
import posixpath
import re
import urllib.parse

import visits
from browser import short

# Listings have all the same frame, so what is within it is put into one open page, many at a time: of the lines of a
# file only the longest, since that decides how wide it is. A few are opened.
BATCH = 60
LINE = re.compile(r'<span class="line".*\n?')
# What colours code has neither a link nor an id, and is most of a listing.
COLOURS = re.compile(r'<span(?: class="[^"]*")?>|</span>')

WIDTHS = """(texts) => texts.map(([name, text]) => {
  document.querySelector("main").outerHTML = text;
  const { scrollWidth, clientWidth } = document.scrollingElement;
  return [name, scrollWidth, clientWidth];
})"""
# Too wide is what has more within than it has room for, and does not scroll; the innermost such part is to blame.
WIDTH = """() => {
  const { scrollWidth, clientWidth } = document.scrollingElement;
  const all = scrollWidth > clientWidth ? [...document.body.querySelectorAll("*")] : [];
  const wide = all.filter((one) => one.getBoundingClientRect().left + one.scrollWidth > clientWidth + 1
    && getComputedStyle(one).overflowX === "visible" && !one.closest("pre, .table-box, svg"));
  const inner = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)));
  return [scrollWidth, clientWidth, inner.slice(0, 2).map((one) => one.tagName.toLowerCase() +
    [...one.classList].map((name) => "." + name).join("") + ` “${one.textContent.slice(0, 40)}”`).join(", ")];
}"""
UNSEEN = """() => Promise.all([...document.images].map(async (image) => {
  image.loading = "eager";
  try { await image.decode(); } catch (error) { /* its width says so */ }
  return image.naturalWidth > 0 ? null : image.getAttribute("src");
})).then((found) => found.filter(Boolean))"""


def with_longest_line(text):
    """A listing with one of its lines."""
    lines = LINE.findall(text)
    longest = max(lines, key=lambda line: len(html.unescape(re.sub("<[^>]*>", "", line))), default="")
    first = text.find('<span class="line"')
    return text if first < 0 else text[:first] + longest + text[text.index("</code>", first):]


def look_at_width(page, *_):
    return page.evaluate(WIDTH)


def look_for_pictures(page, *_):
    return page.evaluate(UNSEEN)


NARROW = visits.Looks({visits.PHONE: look_at_width, visits.SMALL_PHONE: look_at_width})
PICTURES = visits.Looks({visits.DESKTOP: look_for_pictures, visits.PHONE: look_for_pictures})
OPENED = visits.Looks({})  # that the page was opened is all


def narrow(run):
    """No page scrolls sideways at the widths of phones."""
    problems, texts = [], []
    seen = run.seen("narrow")
    for name, widths in seen.items():
        for wide, there, parts in widths:
            if wide > there:
                problems.append(f"{name} is {wide} pixels wide where {there} are there: {parts or 'who knows why'}")
    for name in run.site.listings:
        found = re.search(r'<body class="page-source">.*?(<main.*</main>)', run.site.read(name), re.S)
        if found:
            texts.append((name, with_longest_line(found.group(1))))
        else:
            problems.append(f"{name} is no page of a file")
    with run.browser.page(*visits.SMALL_PHONE) as page:
        page.goto(run.site.url(run.site.listings[0]))
        for start in range(0, len(texts), BATCH):
            for name, wide, there in page.evaluate(WIDTHS, texts[start:start + BATCH]):
                if wide > there and name not in seen:
                    problems.append(f"{name} is {wide} pixels wide where {there} are there")
    return problems


def complaints(browser):
    return sorted({f"{short(url)}: {text}" for url, text in browser.errors})


def requests(browser):
    return sorted({f"{short(page)} asks for {url}" for page, url in browser.requests})


def console(run):
    """No page makes the browser complain."""
    run.seen("console")
    return complaints(run.browser)


def offline(run):
    """No page asks for anything that is not a file of the site."""
    run.seen("offline")
    return requests(run.browser)


def pictures(run):
    """Every picture of every page is there, on a desktop and on a phone."""
    return [f"{name}: the picture {source} does not load" for name, found in run.seen("pictures").items()
            for source in sorted(set().union(*found))]


class Reader(html.parser.HTMLParser):
    """Ids, links, files that a page loads, and code within its text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.loads, self.codes, self.code, self.pre = set(), [], [], [], None, 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.ids.add(attributes["id"])
        if tag == "a":
            self.ids.add(attributes.get("name"))
            if attributes.get("href") is not None:
                self.links.append(attributes["href"])
        elif attributes.get("href") and attributes.get("rel") != "canonical":
            self.loads.append(attributes["href"])
        if attributes.get("src"):
            self.loads.append(attributes["src"])
        self.pre += tag == "pre"
        if tag == "code":
            self.code = []

    def handle_endtag(self, tag):
        self.pre -= tag == "pre"
        if tag == "code" and self.code is not None:
            self.codes.append("".join(self.code))
            self.code = None

    def handle_data(self, data):
        if self.code is not None:
            self.code.append(data)


def read_all(run):
    if run.readers is None:
        run.readers = {}
        for name in run.site.pages:
            reader = run.readers[name] = Reader()
            reader.feed(COLOURS.sub("", run.site.read(name)))
    return run.readers


def links(run):
    """Every link within the site leads to a page that is there, and to a place that is there on it."""
    problems, readers = [], read_all(run)
    files = {path.relative_to(run.site.folder).as_posix() for path in run.site.folder.rglob("*") if path.is_file()}
    for name, reader in readers.items():
        for link in sorted(set(reader.links + reader.loads)):
            if re.match(r"(?:https?|mailto):", link) and link in reader.links:
                continue
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                problems.append(f"{name} loads {link}")
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(parts.path)))
            target = target if parts.path else name
            anchor = urllib.parse.unquote(parts.fragment)
            if target not in files:
                problems.append(f"{name} links to {link}, which is not there")
            elif anchor and target in readers and anchor not in readers[target].ids:
                problems.append(f"{name} links to {link}: no such place on that page")
    return problems


def repository_files(run):
    """Files of the repository: those that the text names, those that pages link to, those that the site shows."""
    problems, source = [], run.site.source
    folders = "|".join(sorted(path.name for path in source.iterdir()
                              if path.is_dir() and not path.name.startswith(".") and path.name != "build"))
    named = re.compile(rf"(?<![\w./$~-])(?:{folders})/[\w./-]*\.\w+(?![\w*/{{<…-])")
    count = 0
    for name in run.site.written:
        for code in read_all(run)[name].codes:
            for path in named.findall(code):
                count += 1
                if "NN" not in path and not (source / path).exists():  # NN stands for a number
                    problems.append(f"{name} names {path}, which the repository does not have")
    if not count:
        problems.append("no page names a file of the repository in its text: this check sees nothing")
    for name in run.site.listings:
        path = source / name[len("source/"):-len(".html")]
        if not path.exists() and path.name != "index":
            problems.append(f"{name} shows a file that the repository does not have")
    # Each link of a chapter's README to a file of the repository must have become a link of the page.
    for readme, page in run.site.chapters:
        there = {posixpath.normpath(link.partition("#")[0]) for link in read_all(run)[page].links
                 if not re.match(r"\w+:", link)} if page in read_all(run) else set()
        for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)#\s:]+)(?:#[^)\s]*)?\)", readme.read_text(encoding="utf-8")):
            path = (readme.parent / link).resolve()
            if path.is_file() and path.suffix != ".md":
                wanted = f"source/{path.relative_to(source).as_posix()}.html"
                if wanted not in there:
                    problems.append(f"{page} has no link to {wanted}, as its README has ({link})")
    return problems
