"""Checks of the search: it finds what is there, in the right order, and can be used without a mouse."""

import html
import re

PHRASES = ("bank conflict", "leading dimension")
# Questions that are terms of the glossary, or words of one's family: the anchors of their entries, which come first.
TERMS = {"bank conflict": "bank-conflict", "Bank conflicts": "bank-conflict", "warp": "warp", "sector": "sector",
         "coalescing": "coalesced", "tile": "tile", "leading dimension": "leading-dimension"}  # fmt: skip
# Words of a page's title, and the page: its beginning comes before any section of it.
TITLES = {"memory": "chapter-14-memory.html", "many sweeps": "chapter-12-stencil.html", "profiling": "profiling.html"}
ARTICLE = "() => document.querySelector('article').textContent.replace(/\\s+/g, ' ').toLowerCase()"
RESULTS = """(all) => all.map((one) => ({
  link: one.href, title: one.querySelector(".search-title").textContent,
  section: (one.querySelector(".search-section")?.textContent ?? "").toLowerCase(),
  excerpt: one.querySelector(".search-excerpt").textContent.replace(/\\s+/g, " ").toLowerCase(),
  marks: one.querySelectorAll("mark").length }))"""


def ask(page, question):
    """Gives the results for a question. It is put in as a whole; typing is the keyboard's check."""
    box = page.locator("#search-input")
    box.fill("")
    page.wait_for_function("() => !document.querySelector('.search-result')")
    page.locator("#search-status").evaluate("(status) => { status.textContent = ''; }")
    box.fill(question)
    page.wait_for_function("() => document.getElementById('search-status').textContent")
    return page.locator(".search-result").evaluate_all(RESULTS)


def plain(text):
    article = re.search(r"<article.*?</article>", text, re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", article.group() if article else ""))).lower()


def search(run):
    """Phrases come first where they are; every chapter is found by its title; pages in folders have results too."""
    problems = []
    texts = {name: plain(run.site.read(name)) for name in run.site.written}
    with run.browser.page() as page, run.browser.page() as reader:
        page.goto(run.site.url("index.html"))
        for phrase in PHRASES:
            holding = sum(phrase in text for text in texts.values())
            results = ask(page, phrase)
            if holding < 2 or len(results) < min(3, holding):
                problems.append(f"'{phrase}': {len(results)} results, and {holding} pages that hold it")
            for number, result in enumerate(results[:min(3, holding)], 1):
                reader.goto(result["link"])
                if phrase not in reader.evaluate(ARTICLE):
                    problems.append(f"'{phrase}': result {number}, {result['title']}, has a page without it")
                shown = phrase in result["excerpt"] or phrase in result["section"]
                if not shown or result["marks"] < len(phrase.split()):
                    problems.append(f"'{phrase}': result {number} does not show it, marked: {result['excerpt']}")
        for _, name in run.site.chapters:
            title = html.unescape(re.search(r"<h1>(.*?)</h1>", run.site.read(name)).group(1))
            results = ask(page, re.sub(r"^\d+ ", "", title))
            if not results or not results[0]["link"].partition("#")[0].endswith("/" + name):
                found = results[0]["link"].rsplit("/", 1)[-1] if results else "nothing"
                problems.append(f"the title of {name}, searched for, gives {found} first")
        if ask(page, "zyxwvutsr"):
            problems.append("a word that stands nowhere has results")
        elif "Nothing" not in page.locator("#search-status").inner_text():
            problems.append("that nothing was found is not said")
        page.goto(run.site.url(run.site.listings[-1]))
        results = ask(page, "coalescing")
        if not results:
            problems.append(f"{run.site.listings[-1]} finds nothing")
        else:
            reader.goto(results[0]["link"])
            if "coalesc" not in reader.evaluate(ARTICLE):
                problems.append(f"the first result on {run.site.listings[-1]} has a page without the word")
    return problems


def search_names(run):
    """A term finds its entry in the glossary first, and words of a page's title the beginning of that page."""
    problems = []
    with run.browser.page() as page:
        page.goto(run.site.url("index.html"))
        for question, anchor in TERMS.items():
            links = [result["link"].rsplit("/", 1)[-1] for result in ask(page, question)]
            if links[:1] != [f"glossary.html#{anchor}"]:
                first = links[0] if links else "nothing"
                problems.append(f"'{question}' finds {first} before its entry in the glossary")
        for question, wanted in TITLES.items():
            links = [result["link"].rsplit("/", 1)[-1] for result in ask(page, question)]
            if links[:1] != [wanted]:
                problems.append(f"'{question}' finds {links[0] if links else 'nothing'} before the page of that title")
    return problems


def search_keyboard(run):
    """The search by keyboard: `/` goes there, arrows choose, Enter opens, Escape closes."""
    problems = []
    chosen = ("() => [...document.querySelectorAll('.search-result')]"
              ".findIndex((one) => one.getAttribute('aria-selected') === 'true')")
    focused = "() => document.activeElement.id"
    with run.browser.page() as page:
        page.goto(run.site.url(run.site.chapters[3][1]))
        page.keyboard.press("/")
        if page.evaluate(focused) != "search-input":
            return ["`/` does not go to the search"]
        page.keyboard.type("bank/conflict")
        if page.locator("#search-input").input_value() != "bank/conflict":
            problems.append("a `/` cannot be typed into the search")
        page.locator("#search-input").fill("")
        page.keyboard.type("shared memory")
        page.locator(".search-result").nth(1).wait_for()
        for key, wanted in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowDown", 1)):
            page.keyboard.press(key)
            if page.evaluate(chosen) != wanted:
                problems.append(f"{key} chooses result {page.evaluate(chosen)}, not {wanted}")
        active = page.locator("#search-input").get_attribute("aria-activedescendant")
        if not active or active != page.locator(".search-result").nth(1).get_attribute("id"):
            problems.append("a screen reader is not told which result is chosen")
        page.keyboard.press("Escape")
        if page.locator("#search-panel").is_visible():
            problems.append("Escape does not close the results")
        page.locator("#search-input").fill("")
        page.keyboard.type("shared memory")
        page.locator(".search-result").nth(1).wait_for()
        target = page.locator(".search-result").nth(1).evaluate("(link) => link.href")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        try:
            page.wait_for_url(target, timeout=20000)
        except Exception:  # Playwright's time-out: what the page is then is what counts
            problems.append(f"Enter opens {page.url.rsplit('/', 1)[-1]} instead of {target.rsplit('/', 1)[-1]}")
    return problems
