"""Checks of finding one's way: the contents, where a page is, what a term means, words mistyped, all hits."""

import pathlib
import re
import sys

import search_checks

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import site_pdf  # noqa: E402

MARKED = """() => [...document.querySelectorAll("#site-nav [aria-current]")]
  .map((one) => one.getAttribute("href").replace(/^(\\.\\.\\/)+/, ""))"""
TRAIL = """() => [...document.querySelectorAll(".trail a")].map((one) => one.href.replace(/^.*\\//, ""))"""
# A page -> what is marked in the contents and linked above its title.
PLACES = {
    "structcourse_1_1Verdict.html": ("verify_8hpp.html", ["api.html", "verify_8hpp.html"]),
    "namespacecourse.html": ("api.html", ["api.html"]),
    "annotated.html": ("api.html", ["api.html"]),
    "source/chapters/02_coalesced/coalesced.cu.html": ("chapter-02-coalesced.html", ["chapter-02-coalesced.html"]),
    "source/emulator/observers/traffic/banks.cpp.html": ("inside-the-emulator.html", ["inside-the-emulator.html"]),
    "exercise-01a-residual.html": ("exercise-01a-residual.html", ["exercises.html", "chapter-01-global.html"]),
}
# A question, and the page that explains it, which comes before all guides.
# Where the glossary sends its readers: a question that is one of its terms finds the same place first.
EXPLAINED = {"coalescing": "chapter-02", "bank conflict": "chapter-08", "shared memory": "chapter-04",
             "constant memory": "chapter-03", "unroll": "chapter-09", "barrier": "chapter-04",
             "shuffle": "chapter-05", "tile": "chapter-04", "transpose": "chapter-07", "halo": "chapter-12"}


def way(run):
    """Getting started comes first, guides are grouped by audience, and every page says where it is."""
    problems = []
    with run.browser.page() as page:
        page.goto(run.site.url("index.html"))
        links = page.locator("#site-nav a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
        if links[:2] != ["index.html", "getting-started.html"]:
            problems.append(f"the contents begin with {', '.join(links[:2])}")
        audiences = page.locator("#site-nav .nav-audience").evaluate_all("(all) => all.map((one) => one.textContent)")
        if len(audiences) < 4 or not all(name.startswith("For ") for name in audiences):
            problems.append(f"the guides stand by {audiences}")
        missing = [name for name in run.site.written if re.match(r"chapter|exercise|[a-z-]+\.html$", name)
                   and name not in links and not re.match(r"(?:class|struct|namespace|annotated|index)", name)]
        # What is beside a chapter is reached from there.
        problems += [f"the contents lack {name}" for name in missing if not name.endswith("-more.html")]
        for name, (marked, trail) in PLACES.items():
            page.goto(run.site.url(name))
            if page.evaluate(MARKED) != [marked]:
                problems.append(f"{name}: {page.evaluate(MARKED)} is marked in the contents, not {marked}")
            if page.evaluate(TRAIL) != trail:
                problems.append(f"{name}: {page.evaluate(TRAIL)} is linked above the title, not {trail}")
    for name in run.site.listings + [one for one in run.site.written if re.match("class|struct|namespace", one)]:
        if 'class="trail"' not in run.site.read(name) or 'aria-current="true"' not in run.site.read(name):
            problems.append(f"{name} does not say where it stands")
    return problems


def search_kindly(run):
    """The search forgives a slip, puts the chapter that explains before the guides, and shows all that it has found."""
    problems = []
    with run.browser.page() as page:
        page.goto(run.site.url("index.html"))
        for slip, word in (("colaescing", "coalesc"), ("shuffel", "shuffle"), ("wavefornt", "wavefront"),
                           ("leading dimenson", "dimension")):
            results = search_checks.ask(page, slip)
            if not results or word not in (results[0]["excerpt"] + results[0]["section"] + results[0]["title"].lower()):
                problems.append(f"'{slip}' finds {results[0] if results else 'nothing'}")
            if "nearest" not in page.locator("#search-status").inner_text():
                problems.append(f"'{slip}': nobody says that it was taken for something else")
        for question, wanted in EXPLAINED.items():
            names = [result["link"].rsplit("/", 1)[-1] for result in search_checks.ask(page, question)]
            first = next((name for name in names if not name.startswith("glossary")), "nothing")
            if not first.startswith(wanted):
                problems.append(f"'{question}' has {first} before the chapter")
        results = search_checks.ask(page, "sector")
        count = int(re.search(r"of (\d+) places", page.locator("#search-status").inner_text()).group(1))
        page.locator("#search-more").click()
        shown = page.locator(".search-result").count()
        if shown != count or shown <= len(results):
            problems.append(f"of {count} places all are asked for, and {shown} shown")
    return problems


def previews(run):
    """On hovering and on focus a link to the glossary shows what the term means; Escape takes it away."""
    problems = []
    with run.browser.page() as page:
        page.goto(run.site.url(run.site.chapters[1][1]))
        link, tip = page.locator('article a[href="glossary.html#sector"]').first, page.locator("#term-preview")
        if tip.is_visible():
            problems.append("a preview before anybody asked")
        for kind, ask, leave in (
                ("hovering", link.hover, lambda: page.mouse.move(0, 0)),
                ("focus", lambda: (page.keyboard.press("Tab"), link.focus()), lambda: page.keyboard.press("Escape"))):
            ask()
            try:
                tip.wait_for(timeout=15000)
            except Exception:  # Playwright's time-out
                problems.append(f"on {kind} there is no preview")
                continue
            text = tip.inner_text()
            if "32 bytes" not in text or link.get_attribute("aria-describedby") != "term-preview":
                problems.append(f"on {kind} the preview says '{text}', or no screen reader is told")
            leave()
            page.wait_for_timeout(400)
            if tip.is_visible():
                problems.append(f"the preview stays after {kind}")
    terms = re.findall(r'href="glossary\.html#([^"]+)"', "".join(run.site.read(name) for _, name in run.site.chapters))
    known = run.site.read("assets/glossary-terms.js")
    return problems + [f"the term {term} has no preview" for term in sorted(set(terms)) if f'"{term}":' not in known]


def whole_course(run):
    """The home page leads to the course as a PDF, which has every chapter, in order, on a page of its own."""
    if f'href="{site_pdf.NAME}"' not in run.site.read("index.html"):
        return ["the home page has no link to the PDF"]
    pdf = (run.site.folder / site_pdf.NAME).read_bytes()
    places = site_pdf.pages_by_name(pdf)
    pages = [places.get(name.removesuffix(".html"), 0) for _, name in run.site.chapters]
    if not pdf.startswith(b"%PDF-") or 0 in pages or pages != sorted(set(pages)):
        return [f"the chapters stand on the pages {pages} of the PDF"]
    return []
