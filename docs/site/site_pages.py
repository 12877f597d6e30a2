"""The pages of the site: which there are, in which order, and what they are called."""

import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Page:
    """A page that is written in Markdown."""
    path: pathlib.PurePosixPath  # in the repository
    name: str                    # the file in the site is name.html
    group: str                   # home, chapters, more (beside a chapter), exercises, guides, glossary or api
    title: str = ""              # plain text
    short: str = ""              # in the contents at the left
    headings: list = dataclasses.field(default_factory=list)  # (level, anchor, HTML), without the title
    description: str = ""

    @property
    def url(self):
        return f"{self.name}.html"


GROUPS = {"chapters": "Chapters", "exercises": "Exercises", "guides": "Guides", "api": "API reference"}
FIRST = "getting-started"  # at the top of the contents
# The guides by who reads them, in the order of the contents; one that is named nowhere is the learners'.
AUDIENCES = {
    "For learners": ("reading-traffic", "finding-bugs", "debugging-kernels", "benchmarking", "profiling"),
    "For engineers": ("emucc", "trusting-the-emulator", "modelled-api", "modelled-ptx", "programs-by-others", "others-suites",
                      "results", "cluster"),
    "For teachers": ("for-teachers", "teaching-gradebook", "teaching-gradescope", "teaching-github-classroom"),
    "For contributors": ("contributing", "inside-the-emulator", "inside-grading"),
}


def audiences(pages):
    """The guides for the contents: [(audience, pages)]."""
    named = {name: audience for audience, names in AUDIENCES.items() for name in names}
    guides = [page for page in pages if page.group == "guides" and page.name != FIRST]
    found = [(audience, [page for page in guides if named.get(page.name, "For learners") == audience])
             for audience in AUDIENCES]
    for audience, members in found:
        order = AUDIENCES[audience]
        members.sort(key=lambda page: order.index(page.name) if page.name in order else len(order))
    return found


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def anchor_of(heading):
    """The anchor that GitHub gives a heading (of plain text)."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def first_heading(text):
    match = re.search(r"^# +(.+)$", text, re.M)
    return re.sub(r"[`*]", "", match.group(1)).strip() if match else ""


def shortened(title):
    """A title for the contents: "02 Coalescing", "02b A bug hunt among particles"."""
    title = re.sub(r"^Exercise (\w+): (.)", lambda m: f"{m.group(1)} {m.group(2).upper()}", title)
    head = title.split(":")[0]
    return head.split(",")[0] if len(head) > 30 else head


def collect(source):
    """All pages of the repository, in the order of the book."""
    found = [("docs/site/home.md", "index", "home")]
    for path in sorted((source / "chapters").glob("[0-9][0-9]_*/README.md")):
        found.append((path.relative_to(source), f"chapter-{slug(path.parent.name)}", "chapters"))
        if (more := path.with_name("more.md")).is_file():
            found.append((more.relative_to(source), f"chapter-{slug(path.parent.name)}-more", "more"))
    found.append(("exercises/README.md", "exercises", "exercises"))
    for path in sorted((source / "exercises").glob("[0-9][0-9]*_*/README.md")):
        found.append((path.relative_to(source), f"exercise-{slug(path.parent.name)}", "exercises"))
    docs = [path for path in sorted((source / "docs").glob("*.md")) if path.name != "glossary.md"]
    order = ["getting-started", "reading-traffic", "finding-bugs", "debugging-kernels", "trusting-the-emulator",
             "benchmarking", "for-teachers"]  # then by name
    docs.sort(key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.stem))
    for path in docs:
        found.append((path.relative_to(source), slug(path.stem), "guides"))
    for path in sorted((source / "docs").glob("*/**/README.md")):
        parts = path.parent.relative_to(source / "docs").parts
        if parts[0] not in ("site", "results") or parts == ("results",):
            found.append((path.relative_to(source), slug("-".join(parts)), "guides"))
    for path, name, group in (("CONTRIBUTING.md", "contributing", "guides"),
                              ("emulator/README.md", "inside-the-emulator", "guides"),
                              ("grading/README.md", "inside-grading", "guides"),
                              ("jobs/README.md", "cluster", "guides"),
                              ("docs/glossary.md", "glossary", "glossary")):
        if (source / path).is_file():
            found.append((path, name, group))
    found.append(("docs/site/api.md", "api", "api"))
    pages = []
    for path, name, group in found:
        page = Page(pathlib.PurePosixPath(path), name, group)
        page.title = first_heading((source / path).read_text(encoding="utf-8"))
        page.short = shortened(page.title)
        pages.append(page)
    return pages


def chapter_lines(source):
    """From the README's table of chapters: (number, name, path of the page, what a reader finds out in Markdown, time);
    of a part, whose chapters follow, its name alone: ("", name, "", "", "")."""
    text = (source / "README.md").read_text(encoding="utf-8")
    row = r"^\| *(?:\| \*\*(.+?)\*\* \| \| \||(\d\d) *\| *\[([^\]]+)\]\(([^)]+)\) *\| *(.+?) *\| *(.*?) *\|)$"
    return [(number, name or part, *rest) for part, number, name, *rest in re.findall(row, text, re.M)]
