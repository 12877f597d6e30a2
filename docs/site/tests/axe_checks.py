"""Checks by axe-core, which knows the rules of WCAG: no violation on any page, in both themes, on a desktop and on a
phone.

A page's structure is the same in both themes, so that the dark one is asked for colours alone, by turns on a desktop and
on a phone; a theme is switched within the open page. Listings have one frame and differ in their text: of these a few are looked at as a whole, and of
all others the structure, put into one open page."""

import pathlib
import re

SIZES = ((1440, 900), (390, 844))
RUN = """async ([rules, where]) => (await axe.run(where, { resultTypes: ["violations"], ...rules })).violations
  .map((one) => [one.id, one.nodes.length, one.nodes[0].target.join(" "), one.nodes[0].html.slice(0, 90)])"""
THEME = """(dark) => { document.documentElement.classList.toggle("dark-mode", dark);
  document.documentElement.classList.toggle("light-mode", !dark); }"""
STATES = """() => { for (const details of document.querySelectorAll("details")) details.open = true; }"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SWAPPED = """async ([texts, rules]) => {
  const found = [];
  for (const [name, text] of texts) {
    document.querySelector("main").outerHTML = text;
    for (const one of (await axe.run("main", { resultTypes: ["violations"], ...rules })).violations) {
      found.push([name, one.id, one.nodes.length, one.nodes[0].target.join(" "), one.nodes[0].html.slice(0, 90)]);
    }
  }
  return found;
}"""
ALL = {}
COLOURS = {"runOnly": ["color-contrast"]}
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}, "link-in-text-block": {"enabled": False}}}
LISTINGS_OPENED = 12
BATCH = 40


def script():
    """The source of axe-core, as the package of PyPI brings it."""
    import axe_playwright_python
    return (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def look(page, rules, where="html"):
    return [f"{rule}, {count} times, the first at {target}: {text}"
            for rule, count, target, text in page.evaluate(RUN, [rules, where])]


def accessible(run):
    """axe finds nothing on any page."""
    problems, axe = {}, script()

    def note(name, where, found):
        for problem in found:
            problems.setdefault(f"{problem} ({where})", []).append(name)

    opened = run.site.listings[::max(1, len(run.site.listings) // LISTINGS_OPENED)]
    with run.browser.page(*SIZES[0]) as page:
        for turn, name in enumerate(run.site.written + opened + ["index.html?search=bank+conflict"]):
            page.set_viewport_size(dict(zip(("width", "height"), SIZES[0])))
            page.goto(run.site.url(name))
            if "?" in name:
                page.locator(".search-result").first.wait_for()
            page.evaluate(axe)
            page.evaluate(STATES)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)  # what scrolls now has been told so
                note(name, f"light, {width} pixels", look(page, ALL))
                if (width, height) == SIZES[turn % len(SIZES)]:
                    page.evaluate(THEME, True)
                    note(name, f"dark, {width} pixels", look(page, COLOURS))
                    page.evaluate(THEME, False)
        texts = [(name, re.search(r"<main.*</main>", run.site.read(name), re.S).group())
                 for name in run.site.listings if name not in opened]
        page.goto(run.site.url(opened[0]))
        page.evaluate(axe)
        for start in range(0, len(texts), BATCH):
            for name, rule, count, target, text in page.evaluate(SWAPPED, [texts[start:start + BATCH], STRUCTURE]):
                note(name, "structure", [f"{rule}, {count} times, the first at {target}: {text}"])
    return [f"{problem}, on {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            for problem, names in problems.items()]
