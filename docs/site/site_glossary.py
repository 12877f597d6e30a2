"""The glossary's terms as a script: what a page shows beside a link to one of them."""

import json
import re

ENTRY = re.compile(r'<h3 id="([^"]+)">(.*?)</h3>(.*?)(?=<h[123]\b|\Z)', re.S)
KEPT = re.compile(r"<(?!/?(?:code|em|strong|sup|sub)\b)[^>]*>")  # a preview has no links and no pictures


def terms(content):
    """From the glossary's HTML: anchor -> (the term, what it means), both HTML without links."""
    found = {}
    for anchor, title, body in ENTRY.findall(content):
        title = re.sub(r'<a class="heading-link".*?</a>', "", title)
        paragraph = re.search(r"<p\b[^>]*>(.*?)</p>", body, re.S)
        if paragraph:
            text = re.sub(r"\s+", " ", paragraph.group(1)).strip()
            text = re.sub(r'(?:\s*<a [^>]*>[^<]*</a>[.,]?)+$', "", text)  # where more is said
            found[anchor] = (KEPT.sub("", title), KEPT.sub("", text))
    return found


def explained(content):
    """From the glossary's HTML: (the term, the link to where it is explained) for each that names a place."""
    for _, title, body in ENTRY.findall(content):
        link = re.search(r'<a [^>]*href="(?!#)([^"]+)"', body)
        if link:
            yield re.sub(r"<[^>]*>", "", re.sub(r'<a class="heading-link".*?</a>', "", title)).strip(), link.group(1)


def write(path, content):
    data = json.dumps(terms(content), ensure_ascii=False, separators=(",", ":")).replace("</script", "<\\/script")
    path.write_text(f"window.COURSE_TERMS = {data};\n", encoding="utf-8")
