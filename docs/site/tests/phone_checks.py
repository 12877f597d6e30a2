"""Checks of what a phone shows: pictures to be read, tables that say there is more, code that can be copied; and of
what is left without scripts."""

import re

import visits

LEAST_TEXT = 11  # pixels, in pictures
# Of each picture the file that is shown, how wide, and whether the reader has to scroll to see all of it.
PICTURES = """() => Promise.all([...document.querySelectorAll(".picture img")].filter((one) => one.checkVisibility())
  .map(async (one) => {
    one.loading = "eager";
    await one.decode();
    return [one.currentSrc.replace(/^.*(?=images\\/)/, ""), one.clientWidth,
      one.clientWidth > one.closest(".picture-box").clientWidth];
  }))"""
# Text of a picture that reaches beyond it.
CUT_TEXT = """(pictures) => pictures.flatMap(([name, text]) => {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  document.body.replaceChildren(svg);
  const { width, height } = svg.viewBox.baseVal;
  return [...svg.querySelectorAll("text")].filter((one) => {
    if (one.closest("[transform]")) return false;
    const box = one.getBBox();
    return box.x < -1 || box.y < -1 || box.x + box.width > width + 1 || box.y + box.height > height + 1;
  }).map((one) => [name, one.textContent]);
})"""
# Each table whose end is out of sight: its edge, and where its first column is once it has been scrolled.
CUT_TABLES = """() => Promise.all([...document.querySelectorAll(".table-box")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.checkVisibility()).map(async (box) => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await drawn();  // wide.js has seen the box
    const faded = getComputedStyle(box).maskImage.includes("gradient");
    box.scrollLeft = box.scrollWidth;
    await drawn();
    const cell = box.querySelector("tbody tr > :first-child");
    const small = cell.offsetWidth < 0.5 * box.clientWidth;
    const left = cell.getBoundingClientRect().left - box.getBoundingClientRect().left;
    const clear = [...box.querySelectorAll("tr > :first-child")]
      .some((one) => /, 0\\)$/.test(getComputedStyle(one).backgroundColor));
    return [box.querySelector("table").innerText.slice(0, 30), faded, !small || (Math.abs(left) < 2 && !clear)];
  }))"""
BROKEN_OPTIONS = """() => [...document.querySelectorAll("article :not(pre) > code")].flatMap((one) => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const option of node.data.matchAll(/(?<![\\w-])--?[A-Za-z][\\w-]*/g)) {
      range.setStart(node, option.index);
      range.setEnd(node, option.index + option[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(option[0]);
    }
  }
  return broken;
})"""
CONTROLS = """() => [...document.querySelectorAll("button, input, select, textarea, dialog, [role=button]")]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 60))"""
TRANSCRIPTS = """() => [...document.querySelectorAll("div.code code")].map((code, number) => [number, code.textContent])
  .filter(([, text]) => /^(\\$|\\(gdb\\)) /m.test(text))"""


# The first lines of code that a button to copy them covers.
COVERED = """() => [...document.querySelectorAll("div.code")].flatMap((block) => {
  if (!block.checkVisibility()) return [];
  const button = block.querySelector(".copy-button").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(block.querySelector("code"));
  const hit = [...range.getClientRects()].some((box) => box.top + 2 < button.bottom && box.bottom - 2 > button.top
    && box.left < button.right && box.right > button.left);
  return hit ? [block.textContent.trim().slice(0, 30)] : [];
})"""


def is_for_reading(name):
    """Whether a page is not a listing and not of the API reference."""
    return not name.startswith(("class", "struct", "namespace", "source/")) and "_8h" not in name


def text_of(svg):
    """The smallest text of a picture, as a share of its width."""
    return min(map(float, re.findall(r"font(?:-size)?:[^;}]*?([\d.]+)px", svg))) / float(
        re.search(r'viewBox="\S+ \S+ (\S+)', svg).group(1))


def look_for_reading(page, name, *_):
    """(pictures, cut tables, options that break) of a page, or None if it is not for reading."""
    return [page.evaluate(what) for what in (PICTURES, CUT_TABLES, BROKEN_OPTIONS)] if is_for_reading(name) else None


READABLE = visits.Looks({visits.PHONE: look_for_reading})


def readable(run):
    """On phones pictures fit and their text can be read, a table that is cut says so, and options do not break."""
    problems, cut, shown = [], 0, set()
    # Where the build had no matplotlib, phones get the wide plots, and it said so.
    plots = {path.stem for path in run.site.source.glob("docs/figures/*.svg")}
    without = plots if not any((run.site.folder / f"images/{plot}-narrow.svg").is_file() for plot in plots) else set()
    for name, (found,) in run.seen("readable").items():
        pictures, tables, options = found or ([], [], [])
        for picture, width, scrolls in pictures:
            if re.sub(r".*/|(?:\.dark)?\.svg$", "", picture) in without:
                continue
            if scrolls:
                problems.append(f"{name}: {picture} is wider than a phone")
            size = width * text_of(run.site.read(picture))
            shown.add(picture)
            if size < LEAST_TEXT:
                problems.append(f"{name}: the text of {picture} has {size:.1f} pixels")
        for table, faded, stays in tables:
            cut += 1
            if not faded:
                problems.append(f"{name}: nothing says that the table '{' '.join(table.split())}' goes on")
            if not stays:
                problems.append(f"{name}: the first column of '{' '.join(table.split())}' goes away, or is seen "
                                "through")
        problems += [f"{name}: {option} breaks" for option in options]
    with run.browser.page() as page:
        texts = [(picture, run.site.read(picture)) for picture in sorted(shown)]
        problems += [f"{picture}: '{text}' reaches beyond it" for picture, text in page.evaluate(CUT_TEXT, texts)]
    return problems + ([] if cut and shown else ["no table is cut, or no picture seen: this check sees nothing"])


def enlarging(run):
    """A tap shows a picture as large as the screen; Close and Escape end that."""
    problems = []
    with run.browser.page(390, 844, touch=True) as page:
        page.goto(run.site.url(run.site.chapters[3][1]))
        for opener in (".picture-box", ".enlarge-button"):
            page.locator(opener).first.tap()
            image = page.locator("dialog.enlarged img:visible")
            if image.count() != 1 or image.evaluate("(one) => one.clientWidth") < 780:
                problems.append(f"a tap on {opener} enlarges nothing")
                continue
            if opener == ".picture-box":
                page.locator(".close-button").tap()
            else:
                page.keyboard.press("Escape")
            if page.locator("dialog.enlarged").is_visible():
                problems.append("an enlarged picture cannot be closed")
    return problems


def copying(run):
    """The buttons of code copy, on touch screens too; of a transcript they copy the commands alone."""
    problems, transcripts = [], 0
    with run.browser.page(390, 844, touch=True) as page:
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => {"
                             " window.copied = text; return Promise.resolve(); } } });")
        for name in (run.site.chapters[1][1], "getting-started.html", "index.html", "debugging-kernels.html"):
            page.goto(run.site.url(name))
            button = page.locator(".copy-button").first
            if not button.is_visible() or float(button.evaluate("(one) => getComputedStyle(one).opacity")) < 1:
                problems.append(f"{name}: no button to copy code on a touch screen")
            problems += [f"{name}: the button lies on '{line}'" for line in page.evaluate(COVERED)]
            for number, text in page.evaluate(TRANSCRIPTS):
                transcripts += 1
                page.locator("div.code").nth(number).locator(".copy-button").evaluate("(one) => one.click()")
                copied = page.evaluate("() => window.copied")
                wanted = re.findall(r"^(?:\$|\(gdb\)) (.*)$", text, re.M)
                if [line for line in copied.split("\n")[:-1] if not line.startswith("  ")] != wanted:
                    problems.append(f"{name}: of a transcript is copied '{copied[:60]}'")
    return problems + ([] if transcripts else ["no transcript on the pages looked at: this check sees nothing"])


def without_scripts(run):
    """Without scripts there is nothing to press that does nothing, and all is there to be read."""
    problems = []
    with run.browser.page(390, 844, scripts=False) as page:
        for name in ("index.html", run.site.chapters[1][1], run.site.chapters[8][1], "reading-traffic.html",
                     "glossary.html", "api.html", run.site.listings[0]):
            page.goto(run.site.url(name))
            problems += [f"{name}, without scripts, has a dead {control}" for control in page.evaluate(CONTROLS)]
            pictures = page.locator(".picture").count()
            shown = page.evaluate("() => [...document.querySelectorAll('.picture img')].filter((one) =>"
                                  " one.checkVisibility()).length")
            if shown != pictures:
                problems.append(f"{name}, without scripts, shows {shown} of {pictures} pictures")
    return problems
