"""What a site has that is published: where the repository is, what others show where they link to a page, a list of
all pages, and a page for addresses that lead nowhere. All of it needs an address, which CITATION.cff has."""

import html
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "pages"))
import places  # noqa: E402, F401 (says where address.py is)
import address  # noqa: E402

PICTURE, SIZE = "images/link.png", (1200, 630)
NOT_FOUND = "404.html"
ICON = ('<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 4.5v10M6 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 9.5a2.5 '
        '2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 9.5c0 4-5 4-12 5"/></svg>')


class Web:
    """`repository` and `site`: their addresses, "" where nobody knows; `picture`: whether there is one for links."""

    def __init__(self, citation, picture=False):
        self.repository = address.field("repository-code", citation)
        self.site = address.site(self.repository, address.field("url", citation))
        self.picture = picture and bool(self.site)

    def head(self, url, title, description, kind):
        """What others read of a page that they link to; all three are HTML already."""
        told = {"og:site_name": "CUDA, step by step", "og:type": "website" if kind == "home" else "article",
                "og:title": title, "og:description": description}
        if self.site:
            told["og:url"] = self.site + url.removesuffix("index.html")
        if self.picture:
            told |= {"og:image": self.site + PICTURE, "og:image:width": SIZE[0], "og:image:height": SIZE[1],
                     "og:image:alt": "Two lines of a kernel, the sectors of memory that each takes, and their times"}
        tags = "".join(f'<meta property="{name}" content="{text}">\n' for name, text in told.items())
        if self.picture:
            tags += '<meta name="twitter:card" content="summary_large_image">\n'
        if self.site and url == NOT_FOUND:  # whatever folder the wrong address seemed to be in
            tags = f'<base href="{urllib.parse.urlsplit(self.site).path}">\n<meta name="robots" content="noindex">\n'
        elif self.site:
            tags += f'<link rel="canonical" href="{told["og:url"]}">\n'
        return tags

    def repository_link(self):
        return (f'<a class="icon-button" href="{html.escape(self.repository)}" aria-label="The repository">{ICON}</a>'
                if self.repository else "")

    def edit_link(self, path):
        """To where a page's text can be changed, by GitHub's rules or GitLab's; nothing for a page without a text."""
        if not self.repository or not path:
            return ""
        between = "/edit/main/" if urllib.parse.urlsplit(self.repository).hostname == "github.com" else "/-/edit/main/"
        return f' <a class="edit-link" href="{html.escape(self.repository + between + str(path))}">Edit this page</a>'

    def write(self, out, frame, browser, source):
        """What nobody links to: the page for wrong addresses, the list, the picture. Returns what is wrong."""
        page = frame(url=NOT_FOUND, title="No such page", kind="guides", content=(
            "<h1>No such page</h1><p>Nothing is at this address: the page was renamed, or the link is wrong. Search "
            'for it above, or go to <a href="index.html">the first page</a>.</p>'))  # fmt: skip
        (out / NOT_FOUND).write_text(page.replace('href="#content"', f'href="{NOT_FOUND}#content"'), encoding="utf-8")
        if not self.site:
            return []
        urls = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.html"))
        shown = [self.site + re.sub(r"(^|/)index\.html$", r"\1", urllib.parse.quote(url)) for url in urls
                 if url != NOT_FOUND]  # fmt: skip
        (out / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            + "".join(f"<url><loc>{html.escape(url)}</loc></url>\n" for url in shown) + "</urlset>\n", encoding="utf-8")
        return [] if not self.picture else draw_picture(source, out / PICTURE, browser)


def draw_picture(source, target, browser):
    """The picture for links, as PNG, which is what others show. Returns what is wrong."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        drawn = pathlib.Path(folder) / "link.svg"
        for command in ([sys.executable, "-B", source / "tools/pages", "cover", "--link", drawn],
                        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                         f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={target}", drawn.as_uri()]):  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
            if done.returncode != 0:
                said = [line for line in done.stderr.splitlines() if line.strip()]
                return [f"the picture for links: {said[-1] if said else f'exit status {done.returncode}'}"]
    return [] if target.is_file() else ["the picture for links: Chromium made none"]
