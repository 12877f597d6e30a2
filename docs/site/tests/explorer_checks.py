"""Checks of the access explorer: each page starts with the case that its text speaks of, and it answers mouse, keyboard
and touch."""

FIGURES = """() => Object.fromEntries([...document.querySelectorAll(".explorer-figures > div")]
  .map((one) => [one.querySelector("dt").textContent.replace(/s$/, ""), one.querySelector("dd").textContent]))"""
# What the chapters' texts say of their first access, and of others that one comes to by a case or a number.
STARTS = {
    "chapter-01": {"sector": "32", "would do": "4", "of the bytes used": "12.5 %"},
    "chapter-02": {"sector": "4", "would do": "4", "of the bytes used": "100 %"},
    "chapter-04": {"wavefront": "1", "conflict": "0"},
    "chapter-08": {"sector": "1", "would do": "1"},
    "chapter-11": {"wavefront": "16", "conflict": "15"},
    "reading-traffic": {"sector": "32", "would do": "4"},
}

# Expressions as a kernel has them, and their values as C++ has them, for lane 5.
EXPRESSIONS = {"1 + 2 * 3": 7, "7 - 2 - 1": 4, "(lane ^ 1) << 2 | 3": 19, "lane / 2 * 2": 4, "-7 / 2": -3, "-7 % 4": -3,
               "lane & ~0": None, "1 << 2 + 1": 8, "6 & 3 ^ 1 | 8": 11, "1'024 % 33": 1, "lane >> 1": 2,
               "threadIdx.x * 33 + lane": 38, "(lane": None, "lane lane": None, "2 ^ ": None, "": None}
VALUES = """(all) => all.map((text) => {
  try { return CourseIndex.parse(text).value({ lane: 5, "threadIdx.x": 1 }); } catch (error) { return null; }
})"""


def differs(page, wanted):
    shown = page.evaluate(FIGURES)
    return "" if wanted.items() <= shown.items() else f"{shown}, not {wanted}"


def explorer(run):
    """The explorer starts as the page says, and follows whoever moves it."""
    problems = []
    names = {start: name for start in STARTS for name in run.site.written
             if name.startswith(start) and not name.endswith("-more.html")}
    with run.browser.page() as page:
        def expect(what, **wanted):
            wrong = differs(page, wanted)
            if wrong:
                problems.append(f"{page.url.rsplit('/', 1)[-1]}, {what}: {wrong}")

        def case(number):
            page.locator(".explorer-cases input").nth(number).check(force=True)

        for start, wanted in STARTS.items():
            page.goto(run.site.url(names[start]))
            page.locator(".explorer-picture svg").first.wait_for(state="attached")  # on a busy machine it takes a while
            beside = page.locator(".explorer > .picture:visible").count()
            if page.locator(".explorer-picture svg").count() != 1 or beside:
                problems.append(f"{names[start]}: no explorer, or the picture that it stands for beside it")
                return problems
            expect("at the start", **wanted)
        for text, value in zip(EXPRESSIONS, page.evaluate(VALUES, list(EXPRESSIONS))):
            if value != EXPRESSIONS[text]:
                problems.append(f"the index '{text}' is {value}, not {EXPRESSIONS[text]}")
        case(1)
        expect("16 bytes per lane", sector="16")
        page.goto(run.site.url(names["chapter-04"]))
        case(3)
        expect("a column of a tile", wavefront="32", conflict="31")
        page.locator(".explorer-sliders input[type=range]").first.press("ArrowRight")
        expect("padded by the keyboard", wavefront="1", conflict="0")
        page.locator(".explorer-sliders input[type=number]").first.fill("4")
        expect("padded by a number", wavefront="4")
        index = page.locator(".explorer-line input")
        index.fill("(lane ^ 1) * 3 + shift")
        if page.locator(".explorer-sliders label").all_inner_texts() != ["shift"]:
            problems.append("a name in the index gets no slider")
        expect("an index of one's own", wavefront="1")
        for wrong in ("lane *", "lane - 1", "lane / 0", "lane ? 1"):
            index.fill(wrong)
            if index.get_attribute("aria-invalid") != "true" or not page.locator(".explorer-error").count():
                problems.append(f"the index '{wrong}' is taken")
        page.goto(run.site.url(names["chapter-08"]))
        page.locator(".explorer-fields select").nth(2).select_option("16")
        expect("blocks 16 wide", sector="2")
        page.locator(".explorer-fields select").nth(3).select_option("8")
        expect("8 lanes", sector="1")
    with run.browser.page(390, 844, touch=True) as page:
        page.goto(run.site.url(names["chapter-01"]))
        page.locator(".explorer-picture [data-lane='7']").last.tap()
        said = page.locator(".explorer-followed").inner_text()
        if "lane 7: A[14336], byte 57344, sector 1792" not in said:
            problems.append(f"a tap on lane 7 says '{said}'")
        page.locator(".explorer-cases input").nth(1).tap()
        wrong = differs(page, {"sector": "1"})
        if wrong:
            problems.append(f"a tap on the second case: {wrong}")
    return problems
