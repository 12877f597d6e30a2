"""Checks by axe-core, which knows the rules of WCAG: no violation on any page, in both themes, on a desktop and on a
phone.

Nearly all of axe's time goes into contrast, since it asks the browser what lies at every place. So one page of each
kind is looked at with all its rules, light on a desktop and dark on a phone. On all other pages axe looks at the rest,
on a phone at what depends on a page's width; and contrast.js, which is much quicker, at the colours of all, in both
themes and both sizes. Listings have one frame and come from one function: a few are looked at as a whole, and of the
others one for each set of elements, whose text is put into one open page."""

import pathlib
import re

import reading_checks

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
PHONE = {"runOnly": ["scrollable-region-focusable", "aria-hidden-focus"]}
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}, "link-in-text-block": {"enabled": False}}}
TAG = re.compile(r"<[a-z][^>]*>(?:\s*</)?")
LISTINGS_OPENED = 8
BATCH = 40


def script():
    """The source of axe-core, as the package of PyPI brings it."""
    import axe_playwright_python
    return (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def look(page, rules, where="html"):
    return [f"{rule}, {count} times, the first at {target}: {text}"
            for rule, count, target, text in page.evaluate(RUN, [rules, where])]


def elements(text):
    """What a text is made of: its tags, but for what an id, a link or a line's number says, and which are empty."""
    return frozenset(re.sub(r'(?<= )(id|href|data-n)="[^"]+"', r"\1", tag) for tag in set(TAG.findall(text)))


def unlike(site, names):
    """Of listings one for each set of elements: (name, text of <main>)."""
    seen = {}
    for name in names:
        text = re.search(r"<main.*</main>", site.read(name), re.S).group()
        seen.setdefault(elements(text), (name, text))
    return list(seen.values())


def look_at_colours(page):
    return [f"{one['name']} has a contrast of {one['contrast']}, below {one['least']}: {one['text']}"
            for one in page.evaluate(reading_checks.CONTRAST, False)["poor"]]


def kinds(site):
    """A page of each kind: those on which axe judges everything."""
    one_each = [name for start in ("chapter-02", "exercise-", "class") for name in
                [name for name in site.written if name.startswith(start)][:1]]
    return ["index.html", "index.html?search=bank+conflict", "cluster.html", "api.html", *one_each,
            *[name for name in site.listings if name.endswith("coalesced.cu.html")]]


def look_at_page(page, name, whole, note):
    """Looks at an open page that has axe in it; `whole` is whether axe judges colours, and on a phone everything."""
    for (width, height), dark in zip(SIZES, (False, True)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)  # what scrolls now has been told so
        for theme in ("light", "dark"):
            page.evaluate(THEME, theme == "dark")
            note(name, f"{theme}, {width} pixels", look_at_colours(page))
        page.evaluate(THEME, dark)
        rules = ALL if whole else PHONE if dark else STRUCTURE
        note(name, f"{'dark' if dark else 'light'}, {width} pixels", look(page, rules))
    page.evaluate(THEME, False)


def accessible(run):
    """axe finds nothing on any page."""
    problems, axe = {}, script()

    def note(name, where, found):
        for problem in found:
            problems.setdefault(f"{problem} ({where})", []).append(name)

    opened = run.site.listings[::max(1, len(run.site.listings) // LISTINGS_OPENED)]
    whole = kinds(run.site)
    with run.browser.page(*SIZES[0]) as page:
        for name in dict.fromkeys(run.site.written + opened + whole):
            page.set_viewport_size(dict(zip(("width", "height"), SIZES[0])))
            page.goto(run.site.url(name))
            if "?" in name:
                page.locator(".search-result").first.wait_for()
            page.evaluate(axe)
            page.evaluate(STATES)
            look_at_page(page, name, name in whole, note)
        texts = unlike(run.site, [name for name in run.site.listings if name not in opened])
        page.goto(run.site.url(opened[0]))
        page.evaluate(axe)
        for start in range(0, len(texts), BATCH):
            for name, rule, count, target, text in page.evaluate(SWAPPED, [texts[start:start + BATCH], STRUCTURE]):
                note(name, "structure", [f"{rule}, {count} times, the first at {target}: {text}"])
    return [f"{problem}, on {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            for problem, names in problems.items()]
