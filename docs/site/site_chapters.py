"""What every page of a chapter has, and in which order: a reader who knows one knows his way about all."""

import html
import re

# A section's heading, and what must be seen in it.
SECTIONS = (
    (r"The idea", r"!\[", "a picture"),
    (r"The (?:kernels?|program)\b.*", r"<!-- kernel: ", "a kernel shown from its file"),
    (r"What the emulator shows", r"<!-- results: emulator/", "a table of the emulator's counts"),
    (r"What GPUs show, and why", r"^!\[[^\]]*\]\(\.\./\.\./docs/figures/", "a plot of results"),
    (r"Try it", r"^<!-- question: ", "something to try, with its answer"),
    (r"In short", r"\A\s*(?:- .*\n(?:  .*\n)*){5}\s*\Z", "five lines"),
    (r"Exercises", r"\]\(\.\./\.\./exercises/", "a link to an exercise"),
    (r"Traps", r"^- ", "a trap"),
    (r"Further reading", r"\]\(https://", "a reference with a link"),
)


def problems(path, text):
    """What is missing in a chapter's page, or in the wrong place; a line each."""
    lead, *rest = re.split(r"^## ", text, flags=re.M)
    found = []
    if not re.search(r"^You will ", lead, re.M):
        found.append(f"{path}: does not begin with what you will learn (\"You will …\")")
    sections = [part.partition("\n")[::2] for part in rest]  # (heading, text)
    place = -1
    for heading, sign, what in SECTIONS:
        at = next((k for k, (title, _) in enumerate(sections) if re.fullmatch(heading, title.strip())), None)
        if at is None:
            found.append(f"{path}: no section '{heading}'")
            continue
        if at < place:
            found.append(f"{path}: the section '{sections[at][0]}' stands too early")
        place = max(place, at)
        if not re.search(sign, sections[at][1], re.M):
            found.append(f"{path}: the section '{sections[at][0]}' has not {what}")
    return found


def chapter_of(pages, page):
    """The chapter that a page "more" is beside: (url, name)."""
    chapter = next(other for other in pages if other.name == page.name.removesuffix("-more"))
    return chapter.url, "Chapter " + html.escape(chapter.short)


def steps_to(pages, page):
    """Where a page that was written in Markdown is: an exercise belongs to its chapter, and so does a more.md."""
    if page.group == "more":
        return [chapter_of(pages, page)]
    chapter = page.group == "exercises" and re.match(r"exercise-(\d\d)", page.name)
    found = [other for other in pages if other.group == "chapters" and chapter
             and other.name.startswith(f"chapter-{chapter.group(1)}-")]
    return [("exercises.html", "Exercises"), *((other.url, "Chapter " + html.escape(other.short)) for other in found)] \
        if found else []
