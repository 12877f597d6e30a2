"""Takes the content out of Doxygen's HTML and puts it into the site's frame."""

import html
import pathlib
import re

import site_code
import site_pages

BOXES = {"try-it": "box-try", "traps": "box-traps", "exercises": "box-exercises", "further-reading": "box-reading"}


# What pages with an access explorer load besides.
EXPLORER = "".join(
    ['<link rel="stylesheet" href="{root}assets/explorer.css">\n',
     *(f'<script defer src="{{root}}assets/{name}.js"></script>\n'
       for name in ("access_rules", "index_expression", "explorer_cases", "explorer_drawing", "explorer"))])


def content_of(text, file):
    """What Doxygen put between header and footer, and the page's title."""
    match = re.search(r"<!--site:start-->(.*)<!--site:end-->", text, re.S)
    if not match:
        raise ValueError(f"{file}: not made with the site's header")
    title = re.search(r"<title>(.*?)</title>", text, re.S)
    return match.group(1), html.unescape(title.group(1)) if title else file


def without_frame(content):
    """A page of Doxygen's without its own header and its wrappers."""
    content = re.sub(r"<!--.*?-->", "", content, flags=re.S)
    content = re.sub(r"</?(?:script|iframe)\b.*?>", "", content, flags=re.S)
    start = re.search(r'<div class="contents">', content)
    return content[start.end():] if start else content


def book_page(page, content, tokens):
    """The content of a page that was written in Markdown."""
    content = without_frame(content)
    body = re.search(r'<div class="textblock">(.*)</div>\s*(?:</div>)?', content, re.S)
    content = body.group(1) if body else content
    content = re.sub(r"(?:</div>\s*)+$", "", content)
    content = re.sub(r'<p>\s*(?:<a class="anchor" id="[^"]*"></a>\s*)+</p>', "", content)
    missing = []
    for number, (level, anchor, text) in enumerate(page.headings, 1):
        label = f"{page.name}--{number}"
        mark = rf'<a class="anchor" id="{re.escape(label)}"></a>'
        heading = re.compile(rf"<h(\d)[^>]*>\s*{mark}(?:(?!</h\1>).)*</h\1>", re.S)
        plain = html.escape(html.unescape(re.sub(r"<[^>]+>", "", text)))
        new = (f'<h{level} id="{anchor}">{text}<a class="heading-link" href="#{anchor}" '
               f'aria-label="Link to {plain}">#</a></h{level}>')
        content, count = heading.subn(lambda _, new=new: new, content)
        if count != 1:
            missing.append(f"{page.path}: Doxygen lost the heading {plain}")
    content = tokens.restore(content)
    content = re.sub(r"<p\b[^>]*>\s*</p>", "", content)
    return boxes(content) if page.group in ("chapters", "more") else content, missing


def boxes(content):
    """Sections of the kinds that every chapter has, in boxes of their own."""
    parts = re.split(r'(?=<h2 id="[^"]*">)', content)
    out = []
    for part in parts:
        match = re.match(r'<h2 id="([^"]*)">', part)
        kind = BOXES.get(match.group(1)) if match else None
        out.append(f'<section class="box {kind}">{part}</section>' if kind else part)
    return "".join(out)


def api_title(title):
    """Of a page of Doxygen's: "struct Verdict" for "CUDA, step by step: course::Verdict Struct Reference"."""
    title = re.sub(r"^CUDA, step by step:\s*", "", title).split("/")[-1]
    match = re.match(r"(.+?) (File|Namespace|Struct|Class)(?: Template)? Reference$", title)
    if not match:
        return title
    name, kind = match.groups()
    return name if kind == "File" else f"{kind.lower()} {re.sub(r'^course::|^emulator::', '', name)}"


def api_page(content):
    """The content of a page that Doxygen made from a header."""
    content = without_frame(content)
    content = re.sub(r"(?:</div>\s*)+$", "", content)
    content = re.sub(r'<pre class="fragment">(.*?)</pre>',
                     lambda m: site_code.block(html.unescape(m.group(1)), "cpp"), content, flags=re.S)
    content = re.sub(r"<table ", '<table data-of="doxygen" ', content)
    # What may be wider than a phone scrolls, and so the keyboard has to reach it.
    content = re.sub(r'(<table data-of="doxygen"|<div)( class="(?:memberdecls|fragment|memproto|directory)")',
                     r'\1 tabindex="0"\2', content)
    content = re.sub(r'(<td class="ttc">|<img [^>]*>)', "", content)  # the folder pictures of old versions
    opened, closed = len(re.findall(r"<div\b", content)), content.count("</div>")
    return content + "</div>" * (opened - closed)


def contents_at_left(pages, api, current, within=""):
    """The tree of pages: groups that open, the current page marked. `api`: (name, url) of the headers. `within`: the
    page of the tree that one is nearest to, for pages that are not in it."""
    def entry(url, text):
        here = ' aria-current="page"' if url == current else ' aria-current="true"' if url == within else ""
        return f'<li><a href="{{root}}{url}"{here}>{html.escape(text, quote=False)}</a></li>'

    def entries(members):
        return "".join(entry(url, text) for url, text in members)

    top = [("index.html", "Home"), *((page.url, page.short) for page in pages if page.name == site_pages.FIRST)]
    out = [f'<ul class="nav-top">{entries(top)}</ul>']
    for group, name in site_pages.GROUPS.items():
        members = [(page.url, page.short) for page in pages if page.group == group and page.name != site_pages.FIRST]
        inside = ""
        if group == "guides":
            for audience, guides in site_pages.audiences(pages):
                title = f'<p class="nav-audience" id="{site_pages.slug(audience)}-nav">{audience}</p>' if guides else ""
                inside += (f'{title}<ul aria-labelledby="{site_pages.slug(audience)}-nav">'
                           f"{entries((page.url, page.short) for page in guides)}</ul>" if guides else "")
        if group == "api":
            out.extend(f'<ul class="nav-top">{entry(page.url, "Glossary")}</ul>' for page in pages
                       if page.group == "glossary")
            members = [("api.html", "Overview"), *((url, text) for text, url in api)]
        if group == "exercises":
            members = [(url, "Overview" if url == "exercises.html" else text) for url, text in members]
        is_open = group == "chapters" or any(url in (current, within) for url, _ in members)
        out.append(f'<details class="nav-group"{" open" if is_open else ""}><summary>{name}</summary>'
                   f"{inside or f'<ul>{entries(members)}</ul>'}</details>")
    return "\n".join(out)


def trail(steps):
    """Where a page is, above its title: (url or "", HTML) from the top down."""
    items = "".join(f"<li>{f'<a href={chr(34)}{url}{chr(34)}>{text}</a>' if url else text}</li>" for url, text in steps)
    return f'<nav class="trail" aria-label="Where this page stands"><ol>{items}</ol></nav>' if items else ""


def on_this_page(page):
    """The contents of a long page, for the right side."""
    entries = [(level, anchor, text) for level, anchor, text in page.headings if level in (2, 3)]
    if len(entries) < 3:
        return ""
    items = "".join(f'<li class="toc-{level}"><a href="#{anchor}">{re.sub("</?a[^>]*>", "", text)}</a></li>'
                    for level, anchor, text in entries)
    return (f'<nav class="toc" aria-label="On this page"><details open><summary>On this page</summary>'
            f"<ul>{items}</ul></details></nav>")


def neighbours(pages, page):
    """Links to the page before and the page after, in the order of the book."""
    book = [other for other in pages if other.group not in ("api", "more")]
    if page not in book:
        return ""
    at, links = book.index(page), []
    for other, kind, text in ((book[at - 1] if at else None, "prev", "Previous"),
                              (book[at + 1] if at + 1 < len(book) else None, "next", "Next")):
        if other:
            name = "Home" if other.group == "home" else html.escape(other.title, quote=False)
            links.append(f'<a class="neighbour {kind}" rel="{kind}" href="{other.url}"><span>{text}</span> {name}</a>')
    return f'<nav class="neighbours" aria-label="Previous and next page">{"".join(links)}</nav>'


class Frame:
    """docs/site/theme/page.html, filled."""

    def __init__(self, text, pages, api, web, questions=0):
        self.text = text
        self.web = web
        self.questions = questions  # in the whole course
        self.pages = pages
        self.api = api

    def __call__(self, url, title, content, kind, description="", toc="", foot="", within="", steps=(), text=""):
        """`text`: the file with the page's text, for those who want to change it."""
        root = "../" * (len(pathlib.PurePosixPath(url).parts) - 1)
        whole = "CUDA, step by step"
        named = whole if kind == "home" else f"{html.escape(title, quote=False)} · {whole}"
        described = html.escape(description or f"{title}: a page of the course {whole}.")
        values = {
            "title": named,
            "description": described,
            "web": self.web.head(url, named.replace('"', "&quot;"), described, kind),
            "repository": self.web.repository_link(),
            "edit": self.web.edit_link(text),
            "kind": kind,
            "nav": contents_at_left(self.pages, self.api, url, within).replace("{root}", root),
            "toc": toc,
            "trail": trail(steps),
            "questions": str(self.questions),
            "content": content,
            "explorer": EXPLORER.replace("{root}", root) if 'class="explorer"' in content else "",
            "foot": foot,
            "root": root,
        }
        return re.sub(r"\{\{(\w+)\}\}", lambda m: values[m.group(1)], self.text)
