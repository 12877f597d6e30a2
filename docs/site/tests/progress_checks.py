"""Checks of what a reader does: typed answers are checked, and progress is kept, shown and erased."""

QUESTION = """([answer, within]) => { document.querySelector("article").insertAdjacentHTML("beforeend",
  `<div class="question" id="made-up" data-name="made-up" data-answer="${answer}" data-within="${within}"
   data-unit="sectors"><p>How many?</p><details class="more"><summary>Answer</summary><p>So many.</p></details>
   </div>`); }"""
# An answer, how far off one may be, and what people type: whether it is right.
TYPED = (("1024", "", {"1024": True, "1,024": True, "1 024": True, "2^10": True, "1024 sectors": True,
                       "1.024e3": True, "1025": False, "-1024": False, "1": False}),
         ("0.25", "", {"0.25": True, "1 / 4": True, ".25": True, "25": False, "0": False}),
         ("2.94", "0.01", {"2.94": True, "2.935": True, "2.9": False}))
DONE = "() => [...document.querySelectorAll('#site-nav a.done')].map((one) => one.getAttribute('href'))"


def questions(run):
    """An answer that is a number can be typed, in whatever way it is written, and is checked."""
    problems = []
    with run.browser.page() as page:
        page.goto(run.site.url(run.site.chapters[1][1]))
        for answer, within, typed in TYPED:
            page.evaluate("() => document.getElementById('made-up')?.remove()")
            page.evaluate(QUESTION, [answer, within])
            page.add_script_tag(path=run.site.folder / "assets/questions.js")
            question = page.locator("#made-up")
            box, details = question.locator("input"), question.locator("details")
            said = question.locator("[role=status]")
            for text, right in typed.items():
                details.evaluate("(one) => { one.open = false; }")
                box.fill(text)
                box.press("Enter")
                if (said.inner_text() == "Right.") != right or details.evaluate("(one) => one.open") != right:
                    problems.append(f"{answer}: '{text}' is {'not ' if right else ''}taken: {said.inner_text()}")
        box.fill("many")
        box.press("Enter")
        if "number" not in said.inner_text():
            problems.append("a word is no number, and nobody says so")
    return problems


def progress(run):
    """What was read and solved is kept for the next visit, shown in the contents, and erased when asked."""
    problems = []
    chapter, exercise = run.site.chapters[3][1], "exercise-01a-residual.html"
    with run.browser.page() as page:
        def expect(what, wanted, text=""):
            page.wait_for_timeout(100)
            if page.evaluate(DONE) != wanted or text not in page.locator("#progress").inner_text():
                shown = page.locator("#progress").inner_text()
                problems.append(f"{what}: {page.evaluate(DONE)} is done, “{shown}”")

        page.goto(run.site.url("index.html"))
        if page.locator("#progress").is_visible():
            problems.append("progress is shown before there is any")
        page.goto(run.site.url(chapter))
        page.wait_for_timeout(200)
        expect("a chapter opened", [])
        page.locator(".done-box").scroll_into_view_if_needed()
        expect("a chapter read", [chapter], f"1 of {len(run.site.chapters)} chapters")
        page.goto(run.site.url(exercise))
        page.locator(".done-box").scroll_into_view_if_needed()
        expect("an exercise read", [chapter])
        page.locator(".done-box input").check()
        page.goto(run.site.url("index.html"))
        expect("an exercise solved", [chapter, exercise], "1 of ")
        page.goto(run.site.url(chapter))
        page.locator(".done-box input").uncheck()
        page.reload()
        page.locator(".done-box").scroll_into_view_if_needed()
        expect("a chapter taken back", [exercise])
        if not page.locator("#progress").is_visible():
            return problems + ["an exercise is solved, and no progress shown to erase"]
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("#progress button").click()
        if page.locator("#progress").is_visible():
            problems.append("erased, progress is still shown")
        page.goto(run.site.url("index.html"))
        expect("erased", [])
    return problems
