"""What must hold of a whole site: no link leads nowhere, nothing is asked of another server, every picture has words,
text stands out from its ground."""

import html.parser
import os
import pathlib
import posixpath
import re
import urllib.parse


class Reader(html.parser.HTMLParser):
    """Ids, links and pictures of a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.ids, self.twice, self.links, self.loaded, self.silent = set(), [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        name = attributes.get("id")
        if name:
            if name in self.ids:
                self.twice.append(name)
            self.ids.add(name)
        if tag == "a" and attributes.get("name"):
            self.ids.add(attributes["name"])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        for key in ("src", "srcset", "data", "poster"):
            if attributes.get(key):
                self.loaded.append(attributes[key])
        if tag == "link" and attributes.get("href") and attributes.get("rel") != "canonical":
            self.loaded.append(attributes["href"])
        if tag == "img" and not (attributes.get("alt") or "").strip():
            self.silent.append(attributes.get("src"))


def problems(out):
    """All that is wrong with the site in the folder `out`, a line each."""
    found, pages = [], {}
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    for name in sorted(files):
        if name.endswith(".html"):
            text = (out / name).read_text(encoding="utf-8")
            reader = pages[name] = Reader()
            reader.feed(text)
            if '<html lang="en"' not in text or "<title>" not in text or 'name="description"' not in text:
                found.append(f"{name}: no language, title or description")
            if re.search(r"SITE(?:TOKEN|BLOCK)\d+END|\{\{\w+\}\}", text):
                found.append(f"{name}: a token that nothing took the place of")
        elif name.endswith((".css", ".js")):
            text = (out / name).read_text(encoding="utf-8")
            if re.search(r"url\(\s*['\"]?(?:https?:)?//|@import|(?<!\w)fetch\(|XMLHttpRequest", text):
                found.append(f"{name}: asks something of a server")
    for name, reader in pages.items():
        found.extend(f"{name}: the id {twice} stands there twice" for twice in reader.twice)
        found.extend(f"{name}: a picture without words, {source}" for source in reader.silent)
        for link in reader.links + reader.loaded:
            if re.match(r"[a-z]+:|//", link):
                if link in reader.loaded:
                    found.append(f"{name}: loads {link} from elsewhere")
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if target not in files:
                found.append(f"{name}: a link to {link}, which is not there")
            elif anchor and target in pages and anchor not in pages[target].ids:
                found.append(f"{name}: a link to {link}, a place which is not there")
    return found


# ---------------------------------------------------------------- contrast

def luminance(colour):
    parts = [int(colour[index:index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def poor_contrast(css, least=4.5):
    """Pairs of colours that are too close to each other. colours.css names them in comments,
    `/* contrast: --text on --page --panel */`, and defines each theme's colours in a block that starts with
    `/* theme: light */`."""
    pairs = [(text, ground) for text, grounds in re.findall(r"/\* contrast: (--[\w-]+) on ([^*]+?) \*/", css)
             for ground in grounds.split()]
    found = []
    themes = re.findall(r"/\* theme: (\w+) \*/(.*?)\}", css, re.S)
    if not pairs or len(themes) < 2:
        return ["colours.css: no colours that could be compared"]
    for theme, block in themes:
        colours = dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-fA-F]{6})\b", block))
        for text, ground in pairs:
            if text not in colours or ground not in colours:
                found.append(f"colours.css, {theme}: {text} or {ground} has no colour")
            elif contrast(colours[text], colours[ground]) < least:
                found.append(f"colours.css, {theme}: {text} on {ground} has a contrast of "
                             f"{contrast(colours[text], colours[ground]):.2f}, below {least}")
    return found


def size_of(out):
    return sum(os.path.getsize(path) for path in pathlib.Path(out).rglob("*") if path.is_file())
