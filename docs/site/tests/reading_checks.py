"""Checks of reading: from chapter to chapter, what a chapter has, both themes, contrast, paper, small screens."""

import math
import pathlib
import re
import struct

import visits

CONTRAST = pathlib.Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
GROUND = "() => getComputedStyle(document.body).backgroundColor"
LEAST_TEXTS = 20  # that are to be seen on a page
NEIGHBOURS = """() => [...["next", "prev"].map((way) => [...document.querySelectorAll(".neighbour." + way)]
  .filter((one) => one.checkVisibility()).map((one) => one.getAttribute("href"))),
  document.querySelector("article h1")?.innerText ?? ""]"""
# Of a chapter: how many pictures, each kernel's link and code, how many rows of results, links to exercises and boxes.
CONTENTS = """(number) => {
  const all = (name) => [...document.querySelectorAll(name)];
  return {
    pictures: all("article .picture").length,
    kernels: all("figure.kernel").map((one) => [one.querySelector("figcaption a")?.getAttribute("href") ?? "",
      one.querySelector("pre")?.innerText ?? ""]),
    rows: all("table.data tbody tr").filter((row) => [...row.querySelectorAll("td.num")]
      .some((cell) => /\\d/.test(cell.innerText))).length,
    exercises: all(`article a[href^="exercise-${number}"]`).length,
    boxes: ["try", "traps"].filter((name) => document.querySelector(".box-" + name)),
  };
}"""
SIGHT = "(name) => [...document.querySelectorAll(name)].some((one) => one.checkVisibility() && one.offsetHeight > 0)"


def look_for_neighbours(page, *_):
    return page.evaluate(NEIGHBOURS)


def look_for_contents(page, name, site):
    """What a chapter has; None of other pages."""
    return page.evaluate(CONTENTS, name[8:10]) if name in [page for _, page in site.chapters] else None


IN_ORDER = visits.Looks({visits.DESKTOP: look_for_neighbours})
HAS_CONTENTS = visits.Looks({visits.DESKTOP: look_for_contents})


def chapters_in_order(run):
    """From home, the links to the next page go through every chapter, and those to the previous one back."""
    wanted = [page for _, page in run.site.chapters]
    if [page[8:10] for page in wanted[:10]] != [f"{number:02}" for number in range(10)]:
        return [f"the repository's chapters are not 00 to 09: {' '.join(wanted)}"]
    seen, way = run.seen("chapters-in-order"), ["index.html", *wanted]
    for at, (direction, names) in enumerate((("next", way), ("prev", way[::-1]))):
        for name, step in zip(names, names[1:]):
            links = seen[name][0][at]
            if len(links) != 1:
                return [f"{name} has {len(links)} links to the {direction} page"]
            if links != [step]:
                return [f"after {name} ({direction}) comes {links[0]}, not {step}"]
            if not seen[step][0][2].startswith(step[8:10] if step in wanted else "CUDA"):
                return [f"{step} has the heading of another page"]
    with run.browser.page() as page:  # where the links lead is known; that a click follows them is not
        page.goto(run.site.url(wanted[3]))
        for direction, step in (("next", wanted[4]), ("prev", wanted[3])):
            page.locator(f".neighbour.{direction}").click()
            page.wait_for_load_state()
            if not page.url.endswith("/" + step):
                return [f"a click on the link to the {direction} page leads to {page.url}, not {step}"]
    return []


def chapter_contents(run):
    """Each chapter has its pictures, its kernels, a table of results, links to its exercises, and its boxes."""
    problems, seen = [], run.seen("chapter-contents")
    for readme, name in run.site.chapters:
        text, has = readme.read_text(encoding="utf-8"), seen[name][0]
        wanted = len(re.findall(r"^\s*!\[", text, re.M))
        if has["pictures"] != wanted:
            problems.append(f"{name} has {has['pictures']} pictures, its README {wanted}")
        wanted = re.findall(r"<!-- kernel: (\S+) (\S+) -->", text)
        if not wanted or len(has["kernels"]) != len(wanted):
            problems.append(f"{name} shows {len(has['kernels'])} kernels, its README asks for {len(wanted)}")
        for (file, function), (link, code) in zip(wanted, has["kernels"]):
            listing = f"/{file.rpartition('/')[2]}.html#L"  # a file of another folder is named by ../
            if function not in code or not code.rstrip().endswith(("}", "};")) or listing not in link:
                problems.append(f"{name}: the code of {function} is not there, or without a link to its lines")
        if has["rows"] < 2:
            problems.append(f"{name} has no table of results")
        if not has["exercises"]:
            problems.append(f"{name} has no link to its exercises")
        problems += [f"{name} has no box '{box}'" for box in ("try", "traps") if box not in has["boxes"]]
    return problems


def theme(run):
    """The switch changes the colours; what is chosen holds after a reload and on other pages, also those in folders."""
    problems = []
    for system, other in (("light", "dark"), ("dark", "light")):
        with run.browser.page(theme=system) as page:
            page.goto(run.site.url("index.html"))
            grounds = {system: page.evaluate(GROUND)}
            button = page.locator("#theme-toggle")
            if f"{system}-mode" not in page.locator("html").get_attribute("class"):
                problems.append(f"a system in the {system} theme does not get the {system} theme")
            button.click()
            grounds[other] = page.evaluate(GROUND)
            if grounds[system] == grounds[other]:
                problems.append(f"the switch leaves the ground as it is, {grounds[system]}")
            if button.get_attribute("aria-pressed") != str(other == "dark").lower():
                problems.append("the switch does not tell its state to a screen reader")
            page.reload()
            if page.evaluate(GROUND) != grounds[other]:
                problems.append(f"{other}, once chosen, is forgotten by a reload")
            for name in (run.site.chapters[2][1], "api.html", run.site.listings[-1]):
                page.goto(run.site.url(name))
                if page.evaluate(GROUND) != grounds[other]:
                    problems.append(f"{other}, once chosen, is not remembered on {name}")
            page.locator("#theme-toggle").click()
            if page.evaluate(GROUND) != grounds[system]:
                problems.append("the switch does not go back")
    return problems


class Poor:
    """Texts that do not stand out, each with the pages that have it."""

    def __init__(self):
        self.found = {}

    def look(self, page, where, paper=False):
        seen = page.evaluate(CONTRAST, paper)
        if seen["texts"] < LEAST_TEXTS:
            self.found.setdefault(f"only {seen['texts']} texts are to be seen", []).append(where)
        for one in seen["poor"]:
            text = f"{one['name']} has a contrast of {one['contrast']}, below {one['least']}: “{one['text']}”"
            self.found.setdefault(text, []).append(where)

    def problems(self):
        return [f"{text} on {'; '.join(pages[:3])}" + (f" and {len(pages) - 3} more" if len(pages) > 3 else "")
                for text, pages in self.found.items()]


def contrast(run):
    """Text stands out from its ground as level AA of WCAG wants it, in both themes of a system: on a page and a
    listing, in what the search has found and in a phone's menu. On all pages `accessible` looks at it, by the switch's
    themes."""
    poor = Poor()
    listing = next(name for name in run.site.listings if name.endswith("coalesced.cu.html"))
    for system in ("light", "dark"):
        with run.browser.page(theme=system) as page:
            for name in ("index.html", listing):
                page.goto(run.site.url(name))
                poor.look(page, f"{name}, {system}")
            page.goto(run.site.url("index.html?search=leading+dimension"))
            page.locator(".search-result").first.wait_for()
            page.locator("#search-input").press("ArrowDown")
            poor.look(page, f"search, {system}")
        with run.browser.page(390, 844, system) as page:
            page.goto(run.site.url("index.html"))
            page.locator("#menu-button").click()
            poor.look(page, f"menu of a phone, {system}")
    return poor.problems()


def paper(run):
    """Printed, a page is its text: no navigation, and ink that shows on white paper whatever the theme."""
    problems, poor = [], Poor()
    for system in ("light", "dark"):
        with run.browser.page(794, 1123, system) as page:
            for name in ("index.html", run.site.chapters[2][1], run.site.chapters[8][1], "api.html", "results.html"):
                page.goto(run.site.url(name))
                page.emulate_media(media="print")
                for part in (".site-header", "#site-nav", ".toc", ".neighbours", ".site-footer", ".copy-button"):
                    if page.evaluate(SIGHT, part):
                        problems.append(f"{name}, printed in the {system} theme, shows {part}")
                if not page.evaluate(SIGHT, "article h1") or not page.evaluate(SIGHT, "article p"):
                    problems.append(f"{name}, printed, has lost its text")
                poor.look(page, f"{name}, printed in the {system} theme", paper=True)
                page.emulate_media(media="screen")
    return problems + poor.problems()


def small_screen(run):
    """On a phone the contents are a menu; with the keyboard one comes past the frame at once."""
    problems = []
    with run.browser.page(390, 844) as page:
        page.goto(run.site.url(run.site.chapters[4][1]))
        nav, button = page.locator("#site-nav"), page.locator("#menu-button")
        if nav.is_visible():
            problems.append("the contents cover a phone's screen before anybody asked")
        button.click()
        if not nav.is_visible() or button.get_attribute("aria-expanded") != "true":
            problems.append("the menu does not open")
        else:
            page.keyboard.press("Escape")
            if nav.is_visible():
                problems.append("Escape does not close the menu")
                page.goto(page.url)
            button.click()
            target = run.site.chapters[7][1]
            nav.locator(f'a[href="{target}"]').click()
            page.wait_for_load_state()
            if not page.url.endswith(target):
                problems.append(f"the menu leads to {page.url.rsplit('/', 1)[-1]} instead of {target}")
    with run.browser.page() as page:
        page.goto(run.site.url(run.site.chapters[4][1]))
        page.keyboard.press("Tab")
        focus = "() => document.activeElement.id || document.activeElement.className"
        if page.evaluate(focus) != "skip-link":
            problems.append("the first Tab does not come to the skip link")
        else:
            page.keyboard.press("Enter")
            if page.evaluate(focus) != "content":
                problems.append("the skip link does not lead to the content")
    return problems


def screenshots(run):
    """Pictures of the site for people to look at, both themes, wide and narrow."""
    problems = []
    run.out.mkdir(parents=True, exist_ok=True)
    for system in ("light", "dark"):
        for width, height in ((1280, 900), (390, 844)):
            with run.browser.page(width, height, system) as page:
                for name, target, whole in (("home", "index.html", True), ("chapter", run.site.chapters[8][1], True),
                                            ("search", "index.html?search=bank+conflict", False)):
                    page.goto(run.site.url(target))
                    if name == "search":
                        page.locator(".search-result").first.wait_for(state="attached")
                    file = run.out / f"{name}-{system}-{width}.png"
                    page.screenshot(path=file, full_page=whole)
                    # Text takes a tenth of a byte a pixel and more, an empty page a hundredth and less.
                    if file.stat().st_size < 0.02 * math.prod(struct.unpack(">II", file.read_bytes()[16:24])):
                        problems.append(f"{file.name} shows next to nothing")
    return problems
