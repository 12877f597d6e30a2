"""A copy of the site, to be broken in a known way."""

import os
import re
import shutil

import browser

CSS, WIDE_CSS, SCRIPT, INDEX = "assets/style.css", "assets/wide.css", "assets/theme.js", "assets/search-index.js"


class Copy(browser.Site):
    """A copy of a site, to break. Files are links to the site's until they are written."""

    def __init__(self, site, folder):
        shutil.copytree(site.folder, folder, copy_function=os.link)
        super().__init__(folder, site.source)

    def write(self, name, text):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def chapter(self, number):
        return self.chapters[number][1]

    def replace(self, name, pattern, text, count=0):
        """Puts `text` for what matches; that nothing matches is a mistake of this file's."""
        old = self.read(name)
        new, times = re.subn(pattern, lambda match: match.expand(text), old, count=count, flags=re.S)
        if not times:
            raise AssertionError(f"{name} has nothing like {pattern}: broken_test.py no longer breaks it")
        self.write(name, new)

    def add(self, name, text):
        self.write(name, self.read(name) + text)

    def first(self, script):
        self.write(SCRIPT, script + "\n" + self.read(SCRIPT))

    def deaf(self, event, condition):
        """Keeps an event from the page's own scripts."""
        self.first(f"addEventListener('{event}', function (event) {{ if ({condition}) {{"
                   " event.stopImmediatePropagation(); event.preventDefault(); } }, true);")

    def few(self, chapters=10):
        """Leaves some pages out, for the checks that open every one."""
        first = [self.chapter(number) for number in range(chapters)]
        self.written = ["index.html", "cluster.html", *first, "api.html"]
        self.listings = [name for name in self.listings if name.startswith("source/chapters/0")]
