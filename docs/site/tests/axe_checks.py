"""Checks by axe-core, which knows the rules of WCAG: no violation on any page, in both themes, on a desktop and on a
phone.

Nearly all of axe's time goes into contrast, since it asks the browser what is at every place. So one page of each
kind is looked at with all its rules, light on a desktop and dark on a phone. On all other pages axe looks at the rest,
on a desktop without the spans that colour code, on a phone at what depends on a page's width; and contrast.js, which
is much quicker, at the colours of all, in both themes and both sizes. Listings have one frame and come from one
function: a few are looked at as a whole, and of the others one for each set of elements, whose text is put into one
open page. Style sheets axe does not load once more: from a disk the browser does not let it."""

import pathlib
import re

import reading_checks
import visits
from page_checks import COLOURS

RUN = """async ([rules, plain]) => {
  // Spans that do no more than to colour code are most of a page, and nothing to a structure.
  const colours = (one) => one.localName === "span"
    && [...one.attributes].every(({ name }) => /^(class|data-n)$/.test(name));
  const codes = plain ? [...document.querySelectorAll("pre code")].filter((code) =>
    code.firstElementChild && [...code.querySelectorAll("*")].every(colours)) : [];
  const coloured = codes.map((code) => [...code.childNodes]);
  for (const code of codes) code.textContent = code.textContent;
  const { violations } = await axe.run("html", { preload: false, resultTypes: ["violations"], ...rules });
  codes.forEach((code, at) => code.replaceChildren(...coloured[at]));
  return violations
    .map((one) => [one.id, one.nodes.length, one.nodes[0].target.join(" "), one.nodes[0].html.slice(0, 90)]);
}"""
THEME = """(dark) => { document.documentElement.classList.toggle("dark-mode", dark);
  document.documentElement.classList.toggle("light-mode", !dark); }"""
STATES = """() => { for (const details of document.querySelectorAll("details")) details.open = true; }"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SWAPPED = """async ([texts, rules]) => {
  const found = [];
  for (const [name, text] of texts) {
    document.querySelector("main").outerHTML = text;
    for (const one of (await axe.run("main", { preload: false, resultTypes: ["violations"], ...rules })).violations) {
      found.push([name, one.id, one.nodes.length, one.nodes[0].target.join(" "), one.nodes[0].html.slice(0, 90)]);
    }
  }
  return found;
}"""
ALL = {}
PHONE = {"runOnly": ["scrollable-region-focusable", "aria-hidden-focus"]}
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}, "link-in-text-block": {"enabled": False}}}
LEAST_TEXTS = 5  # that a page shows on a phone
TAG = re.compile(r"<[a-z][^>]*>(?:\s*</)?")
BATCH = 40


def script():
    """The source of axe-core, as the package of PyPI brings it."""
    import axe_playwright_python
    return (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def look(page, rules):
    return [f"{rule}, {count} times, the first at {target}: {text}"
            for rule, count, target, text in page.evaluate(RUN, [rules, rules is STRUCTURE])]


def elements(text):
    """What a text is made of: its tags, but for what an id, a link or a line's number says, and which are empty."""
    return frozenset(re.sub(r'(?<= )(id|href|data-n)="[^"]+"', r"\1", tag) for tag in set(TAG.findall(text)))


def unlike(site, names):
    """Of listings one for each set of elements, the shortest: (name, text of <main>)."""
    seen = {}
    for name in names:
        text = COLOURS.sub("", re.search(r"<main.*</main>", site.read(name), re.S).group())
        made_of = elements(text)
        if made_of not in seen or len(text) < len(seen[made_of][1]):
            seen[made_of] = (name, text)
    return list(seen.values())


def look_at_colours(page):
    seen = page.evaluate(reading_checks.CONTRAST, False)
    few = [f"only {seen['texts']} texts are to be seen"] if seen["texts"] < LEAST_TEXTS else []
    return few + [f"{one['name']} has a contrast of {one['contrast']}, below {one['least']}: {one['text']}"
                  for one in seen["poor"]]


def kinds(site):
    """A page of each kind: those on which axe judges everything."""
    one_each = [name for start in ("chapter-02", "exercise-", "class") for name in
                [name for name in site.written if name.startswith(start)][:1]]
    return ["index.html", visits.SEARCH, "cluster.html", "api.html", *one_each,
            *[name for name in site.listings if name.endswith("coalesced.cu.html")]]


def look_at_page(page, name, site, dark, least):
    """(where, problems) of an open page. Axe looks in one theme: at everything on a page of each kind, at the `least`
    on all others."""
    found, width = [], page.viewport_size["width"]
    page.evaluate(STATES)
    page.evaluate(DRAWN)  # what scrolls now is marked so
    for theme in ("light", "dark"):
        page.evaluate(THEME, theme == "dark")
        found.append((f"{theme}, {width} pixels", look_at_colours(page)))
    page.evaluate(THEME, dark)
    found.append((f"{'dark' if dark else 'light'}, {width} pixels", look(page, ALL if name in kinds(site) else least)))
    page.evaluate(THEME, False)
    return found


LOOKS = visits.Looks({
    visits.DESKTOP: lambda page, name, site: look_at_page(page, name, site, False, STRUCTURE),
    visits.PHONE: lambda page, name, site: look_at_page(page, name, site, True, PHONE),
}, prepare=lambda page: page.add_init_script(script()), takes_long=True)


def accessible(run):
    """axe finds nothing on any page."""
    problems = {}

    def note(name, where, found):
        for problem in found:
            problems.setdefault(f"{problem} ({where})", []).append(name)

    seen = run.seen("accessible")
    for name, sizes in seen.items():
        for where, found in sum(sizes, []):
            note(name, where, found)
    texts = unlike(run.site, [name for name in run.site.listings if name not in seen])
    with run.browser.page(*visits.DESKTOP) as page:
        page.goto(run.site.url(run.site.listings[0]))
        page.evaluate(script())
        for start in range(0, len(texts), BATCH):
            for name, rule, count, target, text in page.evaluate(SWAPPED, [texts[start:start + BATCH], STRUCTURE]):
                note(name, "structure", [f"{rule}, {count} times, the first at {target}: {text}"])
    return [f"{problem}, on {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            for problem, names in problems.items()]
