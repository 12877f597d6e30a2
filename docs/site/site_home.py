"""The first page: what the README says, laid out as a site's."""

import html
import re

import site_markdown
import site_pages
import site_pdf


def readme(source):
    return (source / "README.md").read_text(encoding="utf-8")


def readme_part(source, name):
    match = re.search(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", readme(source), re.M | re.S)
    if not match:
        raise site_markdown.Problem(f"docs/site/home.md: the README has no section '{name}'")
    return match.group(0)


def introduction(source):
    """What the README says before its first part, in pieces: the words of its picture, what the course is, what it
    claims."""
    text = re.search(r"^# .+?\n(.*?)(?=^## )", readme(source), re.M | re.S)[1]
    words = html.unescape(re.search(r'<img alt="([^"]+)" src="docs/cover/', text)[1])
    text = re.sub(r"^<!-- (\w+) -->$.*?^<!-- end of \1 -->$", "", text, flags=re.M | re.S)
    course, claims = (re.sub(r"\s+", " ", part) for part in re.split(r"\n\n+", text.strip(), maxsplit=1))
    return words, course, [claim.strip() for claim in re.split(r"(?:^|\s)- (?=\*\*)", claims) if claim.strip()]


def hero(site, writer):
    words, course, claims = introduction(site.source)
    start = next(page for page in site.pages if page.group == "chapters")
    pdf = f'<a class="button quiet" href="{site_pdf.NAME}">All of it as a PDF</a>' if site.browser else ""
    return (f'<div class="hero"><p class="lead">{writer.inline_html(course)}</p>'
            f'<p class="start"><a class="button" href="{start.url}">Start with chapter 00</a> '
            f'<a class="button quiet" href="#three-ways-to-begin">How to run it</a> {pdf}</p>'
            f'{writer.picture(words, "docs/cover/cover.svg")}'
            f'<ul class="claims">{"".join(f"<li>{writer.inline_html(claim)}</li>" for claim in claims)}</ul></div>')


def cards(site, writer):
    """The chapters, each part of the course under its name."""
    parts = []
    for number, name, path, text, time in site_pages.chapter_lines(site.source):
        if not number:
            parts.append((name, []))
            continue
        text = text[0].upper() + text[1:] if re.match("[a-z]{2}", text) else text
        parts[-1][1].append(
            f'<li><a class="card" href="{site.by_path[path].url}"><span class="card-number">{number}'
            f'<span class="card-time">{time}</span></span>'
            f'<span class="card-title">{html.escape(name, quote=False)}</span>'
            f'<span class="card-text">{writer.inline_html(text)}</span></a></li>')
    return "".join(f'<p class="cards-part">{html.escape(name, quote=False)}</p><ol class="cards">{"".join(items)}</ol>'
                   for name, items in parts)
