"""The browser of the site's tests, and what it notes down meanwhile."""

import contextlib
import functools
import os
import pathlib
import re
import shutil

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

def find_chromium(asked=None):
    """The path of a Chromium, or None."""
    for name in [asked] if asked else PROGRAMS:
        path = shutil.which(name)
        if path:
            return path
    return None


class Site:
    """A built site, and the checkout that it was built from."""

    def __init__(self, folder, source):
        self.folder, self.source = pathlib.Path(folder).resolve(), pathlib.Path(source).resolve()

    def url(self, name):
        path, mark, question = name.partition("?")
        return (self.folder / path).as_uri() + mark + question

    @functools.cached_property
    def pages(self):
        """All pages, relative to the site; but for the one for wrong addresses where it knows its own, for then it takes
        its styles from there."""
        found = (path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.html"))
        return sorted(name for name in found if name != "404.html" or "<base " not in self.read(name))

    @functools.cached_property
    def listings(self):
        """The pages that show a file of the repository."""
        return [name for name in self.pages if name.startswith("source/")]

    @functools.cached_property
    def written(self):
        """All other pages."""
        return [name for name in self.pages if not name.startswith("source/")]

    @functools.cached_property
    def chapters(self):
        """The pages of the chapters that the repository has: (README.md, page), in order."""
        found = []
        for readme in sorted(self.source.glob("chapters/[0-9][0-9]_*/README.md")):
            found.append((readme, "chapter-" + readme.parent.name.replace("_", "-") + ".html"))
        return found

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")


class Browser:
    """One Chromium for all checks. Whatever page is open: errors of the console and requests to elsewhere are kept."""

    def __init__(self, playwright, program):
        # Without Chromium's own sandbox, since root may not use it: the pages are ours, and no other one is reached.
        self.chromium = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"],
            env={name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")})
        self.errors, self.requests = [], []

    def close(self):
        self.chromium.close()

    @contextlib.contextmanager
    def page(self, width=1280, height=900, theme="light", touch=False, scripts=True):
        """A page of a reader who comes for the first time, with a system in that theme."""
        context = self.chromium.new_context(viewport={"width": width, "height": height}, color_scheme=theme,
                                            reduced_motion="reduce", has_touch=touch, is_mobile=touch,
                                            java_script_enabled=scripts)
        context.set_default_timeout(45000)  # on a busy machine everything takes a while
        context.set_default_navigation_timeout(120000)
        context.route(re.compile(r"^(?!file:|data:|blob:|about:)"), self._refuse)
        page = context.new_page()
        page.on("console", lambda said: said.type == "error" and self.errors.append(
            (page.url, f"{said.text} ({short(said.location['url'])})")))
        page.on("pageerror", lambda error: self.errors.append((page.url, str(error))))
        try:
            yield page
        finally:
            context.close()

    def _refuse(self, route):
        frame = route.request.frame.url if not route.request.is_navigation_request() else "a link"
        self.requests.append((frame, route.request.url))
        route.abort()


def short(url):
    """An address of the site as a person reads it."""
    for folder in ("/source/", "/assets/", "/images/"):
        if url.startswith("file:") and folder in url:
            return folder[1:] + url.split(folder, 1)[1]
    return url.rsplit("/", 1)[-1] if url.startswith("file:") else url
