"""Files that pages link to and that are not pages: listings of sources, folders, copies, pictures."""

import os
import pathlib
import re
import shutil

import site_code

LARGEST_LISTING = 400_000  # bytes; what is larger, or no text, is copied as it is
HIDDEN = {".git", "build", "__pycache__"}


def is_text(path):
    if path.stat().st_size > LARGEST_LISTING:
        return False
    try:
        path.read_text(encoding="utf-8")
        return True
    except UnicodeDecodeError:
        return False


class Sources:
    """Grows while pages are written: each url() asks for a file, and each folder for what it holds."""

    def __init__(self, source, out):
        self.source = source
        self.out = out
        self.wanted = {}  # path in the repository -> url
        self.pictures = {}

    def url(self, inside):
        """Where a file or a folder of the repository is in the site; None if it does not exist."""
        inside = os.path.normpath(inside)
        path = self.source / inside
        if inside.startswith("..") or not path.exists():
            return None
        if inside not in self.wanted:
            if path.is_dir():
                self.wanted[inside] = f"source/{inside}/index.html"
                for entry in self.entries(path):
                    self.url(f"{inside}/{entry.name}")
            elif is_text(path):
                self.wanted[inside] = f"source/{inside}.html"
            else:
                self.wanted[inside] = f"source/{inside}"
        return self.wanted[inside]

    def entries(self, folder):
        found = [path for path in folder.iterdir() if path.name not in HIDDEN and not path.name.startswith(".")]
        return sorted(found, key=lambda path: (path.is_file(), path.name))

    def picture(self, inside, file):
        """The picture's URLs, for light and dark pages; the second is "" if the picture knows only light ones.

        A picture drawn for both asks what the system prefers. The site has a switch of its own, so it needs one copy
        for each."""
        if inside not in self.pictures:
            path = pathlib.PurePosixPath(inside)
            light, dark = f"images/{path.name}", ""
            (self.out / "images").mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8") if path.suffix == ".svg" else ""
            query = re.compile(r"@media\s*\(\s*prefers-color-scheme\s*:\s*dark\s*\)")
            if query.search(text):
                dark = f"images/{path.stem}.dark{path.suffix}"
                (self.out / light).write_text(query.sub("@media not all", text), encoding="utf-8")
                (self.out / dark).write_text(query.sub("@media all", text), encoding="utf-8")
            else:
                shutil.copyfile(file, self.out / light)
            self.pictures[inside] = light, dark
        return self.pictures[inside]

    def write(self, template, page_around):
        """Writes all that was asked for. `template` puts a page's content into the site's frame; `page_around` knows
        the page that a file belongs to: (url, name)."""
        for inside, url in sorted(self.wanted.items()):
            target = self.out / url
            target.parent.mkdir(parents=True, exist_ok=True)
            path = self.source / inside
            name = pathlib.PurePosixPath(inside).name
            if path.is_dir():
                items = []
                for entry in self.entries(path):
                    link = os.path.relpath(self.wanted[f"{inside}/{entry.name}"], pathlib.PurePosixPath(url).parent)
                    items.append(f'<li><a href="{link}">{entry.name}{"/" if entry.is_dir() else ""}</a></li>')
                content = f'<ul class="files">{"".join(items)}</ul>'
                title = f"{inside}/"
            elif url.endswith(".html") and not inside.endswith(".html"):
                content = site_code.listing(path.read_text(encoding="utf-8"), site_code.language_of(inside))
                title = name
            else:
                shutil.copyfile(path, target)
                continue
            where = f'<p class="path">{self.trail(inside, url)}</p>'
            within, name = page_around(inside)
            back = os.path.relpath(within, pathlib.PurePosixPath(url).parent)
            page = template(url=url, title=title, content=f"<h1>{title}</h1>{where}{content}", kind="source",
                            within=within, steps=[(back, name), ("", title)],
                            description=f"{inside}, a file of the course CUDA, step by step.")
            target.write_text(page, encoding="utf-8")

    def trail(self, inside, url):
        """The folders above, as links where the site has them."""
        parts, out = inside.split("/"), []
        for index, part in enumerate(parts):
            folder = self.wanted.get("/".join(parts[:index + 1]))
            if folder and index + 1 < len(parts):
                out.append(f'<a href="{os.path.relpath(folder, pathlib.PurePosixPath(url).parent)}">{part}</a>')
            else:
                out.append(part)
        return " / ".join(out)
