#!/usr/bin/env python3
"""Proves that the checks of site_test.py see: each is run on copies of the site that are broken in a known way, and
must say so.

    broken_test.py --site FOLDER --out FOLDER [--only NAME]

What is broken is mostly added at the end of a style sheet or at the start of the first script, so that it stays broken
however the site's own code changes."""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import browser  # noqa: E402
import site_test  # noqa: E402

CSS, WIDE_CSS, SCRIPT, INDEX = "assets/style.css", "assets/wide.css", "assets/theme.js", "assets/search-index.js"


class Copy(browser.Site):
    """A copy of a site, to break. Files are links to the site's until they are written."""

    def __init__(self, site, folder):
        shutil.copytree(site.folder, folder, copy_function=os.link)
        super().__init__(folder, site.source)

    def write(self, name, text):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def chapter(self, number):
        return self.chapters[number][1]

    def replace(self, name, pattern, text, count=0):
        """Puts `text` for what matches; that nothing matches is a mistake of this file's."""
        old = self.read(name)
        new, times = re.subn(pattern, lambda match: match.expand(text), old, count=count, flags=re.S)
        if not times:
            raise AssertionError(f"{name} has nothing like {pattern}: broken_test.py no longer breaks it")
        self.write(name, new)

    def add(self, name, text):
        self.write(name, self.read(name) + text)

    def first(self, script):
        self.write(SCRIPT, script + "\n" + self.read(SCRIPT))

    def deaf(self, event, condition):
        """Keeps an event from the page's own scripts."""
        self.first(f"addEventListener('{event}', function (event) {{ if ({condition}) {{"
                   " event.stopImmediatePropagation(); event.preventDefault(); } }, true);")

    def few(self, chapters=10):
        """Leaves some pages out, for the checks that open every one."""
        first = [self.chapter(number) for number in range(chapters)]
        self.written = ["index.html", "cluster.html", *first, "api.html"]
        self.listings = [name for name in self.listings if name.startswith("source/chapters/0")]


def skips_a_chapter(copy):
    copy.few(len(copy.chapters))
    copy.replace(copy.chapter(4), r'rel="next" href="[^"]*"', f'rel="next" href="{copy.chapter(6)}"')
    return [f"after {copy.chapter(4)} (next) comes {copy.chapter(6)}, not {copy.chapter(5)}"]


def has_no_way_back(copy):
    copy.few(len(copy.chapters))
    copy.replace(copy.chapter(3), r'class="neighbour prev"', 'class="neighbour"')
    return [f"{copy.chapter(3)} has 0 links to the prev page"]


def has_poor_chapters(copy):
    copy.few(len(copy.chapters))
    copy.replace(copy.chapter(1), r'<figure class="kernel">', "<figure>")
    copy.replace(copy.chapter(2), r'href="exercise-', 'href="handout-')
    copy.replace(copy.chapter(3), r'class="data"', 'class="other"')
    copy.replace(copy.chapter(4), r"(<figure class=\"kernel\">.*?)#L\d+", r"\1")
    copy.replace(copy.chapter(5), r"box-traps", "box-other")
    copy.replace(copy.chapter(8), r'class="picture', 'class="other', 1)
    return [f"{copy.chapter(1)} shows 0 kernels", f"{copy.chapter(2)} has no link to its exercises",
            f"{copy.chapter(3)} has no table", f"{copy.chapter(4)}: the code of",
            f"{copy.chapter(5)} has no box 'traps'", f"{copy.chapter(8)} has 4 pictures, its README 5"]


def finds_other_pages(copy):
    copy.add(INDEX, "\nCOURSE_SEARCH.pages.reduceRight(function (url, page) { const own = page[1]; page[1] = url;"
                    " return own; }, 'api.html');")
    return ["'bank conflict': result 1", "'leading dimension': result", "the title of chapter-00"]


def marks_nothing(copy):
    copy.first("const made = document.createElement.bind(document);"
               "document.createElement = (name) => made(name === 'mark' ? 'span' : name);")
    return ["'bank conflict': result 3 does not show it", "'leading dimension': result 3 does not show it"]


def searches_from_home_only(copy):
    copy.replace(copy.listings[-1], r'data-root="[^"]*"', 'data-root=""')
    return [f"{copy.listings[-1]} finds nothing"]


def knows_no_slash(copy):
    copy.deaf("keydown", "event.key === '/'")
    return ["`/` does not go to the search"]


def knows_few_keys(copy):
    copy.deaf("keydown", "['ArrowUp', 'Escape', 'Enter'].includes(event.key)")
    copy.first("const set = Element.prototype.setAttribute; Element.prototype.setAttribute = function (name, value) {"
               " if (name !== 'aria-activedescendant') set.call(this, name, value); };")
    return ["ArrowUp chooses result 1, not 0", "Escape does not close", "Enter opens", "a screen reader is not told"]


def forgets_the_theme(copy):
    copy.first("Storage.prototype.setItem = function () {};")
    return ["forgotten by a reload", f"not remembered on {copy.listings[-1]}", "not remembered on api.html"]


def has_one_theme(copy):
    copy.deaf("click", "event.target.closest('#theme-toggle')")
    return ["the switch leaves the ground as it is", "does not tell its state"]


def ignores_the_system(copy):
    copy.first("window.matchMedia = () => ({ matches: false, addEventListener() {} });")
    return ["a system in the dark theme does not get the dark theme"]


def has_no_menu(copy):
    copy.deaf("click", "event.target.closest('#menu-button')")
    copy.replace(copy.chapter(4), 'class="skip-link" href="#content"', 'class="skip-link" href="#site-nav"')
    return ["the menu does not open", "the skip link does not lead to the content"]


def has_a_menu_that_stays(copy):
    copy.deaf("keydown", "event.key === 'Escape'")
    copy.add(CSS, ".skip-link { display: none; }")
    return ["Escape does not close the menu", "the first Tab does not come"]


def has_its_menu_open(copy):
    copy.add(CSS, ".site-nav { display: block !important; }")
    return ["cover a phone's screen"]


def is_pale(copy):
    copy.add(CSS, "html.light-mode { --text-soft: #9aa39c; } html.dark-mode .contents a { color: #4a6a3a !important; }"
                  ".lead { opacity: .3; } #search-input::placeholder { color: #888; }"
                  "html.light-mode .nav-top { background: linear-gradient(#222, #333); }")
    return ["span.line::before", "span.search-excerpt has a contrast of 2.", "p.lead has a contrast of 1.",
            "input#search-input::placeholder", "a has a contrast of 1.", "index.html, dark", "menu of a phone, light"]


def prints_its_frame(copy):
    copy.add(CSS, "@media print { .site-nav { display: block !important; } article h1 { display: none; }"
                  " html.dark-mode body { color: #eee; } }")
    return ["printed in the light theme, shows #site-nav", "printed, has lost its text",
            "p has a contrast of 1.", f"{copy.chapter(2)}, printed in the dark theme"]


def is_empty(copy):
    copy.add(CSS, "body * { visibility: hidden !important; }")
    return [f"{name}-{theme}-{width}.png shows next to nothing" for name in ("home", "search")
            for theme in ("light", "dark") for width in (1280, 390)]


def is_wide(copy):
    copy.few()
    wide = '<main\\1><p class="wide" style="width: 500px">wide</p>'
    for name in (copy.chapter(2), copy.listings[0], copy.listings[1]):
        copy.replace(name, r"<main([^>]*)>", wide)
    copy.replace("cluster.html", r"</article>", '<p style="width: 340px">wide</p></article>')
    return [f"{copy.chapter(2)} is 5", "p.wide “wide”", f"{copy.listings[0]} is 5", f"{copy.listings[1]} is 5",
            "cluster.html is 358 pixels wide where 320"]


def lacks_a_picture(copy):
    copy.few()
    source = re.search(r'<img[^>]*?src="([^"]*)"', copy.read(copy.chapter(6))).group(1)
    (copy.folder / source).unlink()
    return [f"{copy.chapter(6)}: the picture {source} does not load"]


def complains(copy):
    copy.few()
    copy.replace(copy.chapter(1), "</body>", "<script>throw new Error('broken on purpose')</script></body>")
    copy.replace(copy.chapter(2), "</body>", "<script>console.error('said on purpose')</script></body>")
    copy.replace("api.html", "</head>", '<script src="assets/none.js"></script></head>')
    return [f"{copy.chapter(1)}: broken on purpose", f"{copy.chapter(2)}: said on purpose", "assets/none.js"]


def asks_elsewhere(copy):
    copy.few()
    copy.replace(copy.chapter(1), "</head>", '<link rel="stylesheet" href="https://example.org/a.css"></head>')
    copy.replace(copy.chapter(2), "</body>", "<script>fetch('https://example.org/b')</script></body>")
    return [f"{copy.chapter(1)} asks for https://example.org/a.css",
            f"{copy.chapter(2)} asks for https://example.org/b"]


def leads_nowhere(copy):
    copy.replace(copy.chapter(1), "</article>",
                 '<a href="none.html">a</a><a href="api.html#none">b</a><a href="#none">c</a>'
                 '<img src="https://example.org/c.png" alt="d"></article>')
    copy.replace(copy.listings[-1], 'href="[^"]*favicon.svg"', 'href="favicon.svg"')
    return [f"{copy.chapter(1)} links to none.html, which", f"{copy.chapter(1)} links to api.html#none: no such place",
            f"{copy.chapter(1)} links to #none: no", f"{copy.chapter(1)} loads https://example.org/c.png",
            f"{copy.listings[-1]} links to favicon.svg"]


def names_what_is_gone(copy):
    copy.replace(copy.chapter(1), "</article>", "<code>python3 tools/none.py</code></article>")
    copy.replace(copy.chapter(2), 'href="source/[^"]*/coalesced.cu.html', 'href="source/index.html')
    copy.write("source/gone.cu.html", copy.read("index.html"))
    return [f"{copy.chapter(1)} names tools/none.py", "source/gone.cu.html shows a file that",
            f"{copy.chapter(2)} has no link to source/chapters/02_coalesced/coalesced.cu.html"]


def is_drawn_small(copy):
    copy.few()
    copy.replace(copy.chapter(1), r"<source [^>]*>", "")  # so that a phone is shown the wide pictures
    copy.add(WIDE_CSS, ".picture img { max-width: 100%; } .table-box { mask-image: none !important; }"
                       " .keeps-first td { position: static !important; } .option { white-space: normal; }")
    return ["has 5.", "nothing says that the table", "the first column of", "--instruction breaks"]


def cuts_pictures(copy):
    copy.few()
    narrow = re.search(r'<source [^>]*srcset="([^"]*)"', copy.read(copy.chapter(3))).group(1)
    copy.replace(narrow, r'viewBox="0 0 \S+ ', 'viewBox="0 0 300 ')
    copy.replace(copy.chapter(2), r"<picture><source [^>]*>(<img [^>]*>)</picture>", r"\1")
    return [f"{narrow}: '", "is wider than a phone"]


def has_dead_buttons(copy):
    copy.add(CSS, "html:not(.has-script) button.icon-button { display: grid !important; }")
    copy.add(WIDE_CSS, "html:not(.has-script) .picture img { display: none; }")
    return ["index.html, without scripts, has a dead <button", f"{copy.chapter(8)}, without scripts, shows 0"]


def enlarges_nothing(copy):
    copy.deaf("click", "event.target.closest('.picture-box, .close-button')")
    return ["a tap on .picture-box enlarges nothing"]


def copies_all(copy):
    copy.add(CSS, ".copy-button { opacity: 0 !important; top: 8px !important; }")
    copy.replace("assets/copy.js", r"if \(!isTranscript\(text\)\) return text;", "return text;")
    return ["no button to copy code", "the button lies on", "of a transcript is copied '$ "]


def explores_nothing(copy):
    copy.add("assets/explorer.css", ".explorer > .picture { display: block !important; }")
    return ["or the picture that it stands for"]


def explores_otherwise(copy):
    copy.replace("assets/access_rules.js", "bank.size", "0 * bank.size + 2")
    copy.replace("assets/explorer.js", "if \\(index < 0\\)", "if (false)")
    copy.deaf("click", "event.target.closest('.explorer-picture')")
    copy.deaf("pointermove", "true")
    copy.replace("assets/index_expression.js", '"<<", ">>"], \\["\\+", "-"\\]', '"+", "-"], ["<<", ">>"]')
    return ["chapter-04-shared.html, at the start", "the index '1 << 2 + 1' is 5, not 8", "padded by the keyboard",
            "'lane - 1' is taken", "a tap on lane 7"]


def is_for_few(copy):
    copy.few()
    copy.listings = copy.listings[:16]  # of which every other one is opened
    copy.add(CSS, "html.dark-mode .contents p { color: #555; }"
                  "@media (max-width: 599px) { .contents > h1 { color: #bbb; } }")
    copy.replace(copy.chapter(1), "</article>", "<button></button></article>")
    copy.replace("cluster.html", "</article>", '<p class="pale">pale</p></article>')
    copy.add(CSS, "html.light-mode .pale { color: #bbb; }")
    copy.replace(copy.listings[1], "<h1>.*?</h1>", "<h1></h1>")
    return ["color-contrast, ", "(dark, 1440 pixels)", "(light, 390 pixels)", "button-name, 1 times",
            f"<h1></h1> (structure), on {copy.listings[1]}",
            "p.pale has a contrast of 1.92, below 4.5: pale (light, 1440 pixels), on cluster"]


def knows_no_way(copy):
    copy.replace("index.html", r'(href="getting-started.html")', 'href="glossary.html"')
    copy.replace("structcourse_1_1Verdict.html", r'aria-current="true"', "")
    copy.replace("source/chapters/02_coalesced/coalesced.cu.html", r'<nav class="trail".*?</nav>', "")
    return ["the contents begin with index.html, glossary", "structcourse_1_1Verdict.html: [] is marked",
            "coalesced.cu.html: [] is linked above", "coalesced.cu.html does not say where it stands"]


def forgives_nothing(copy):
    copy.replace("assets/spelling.js", r"word.length < 4 \?", "true ?")
    copy.replace("assets/search.js", r'(page\[2\] === "chapters"\)) score \+= 60', r"\1 score -= 200")
    copy.deaf("click", "event.target.closest('#search-more')")
    return ["'colaescing' finds nothing", " before the chapter", "all are asked for, and 12 shown"]


def explains_nothing(copy):
    copy.replace("assets/glossary-terms.js", '"sector":', '"none":')
    return ["on hovering there is no preview", "on focus there is no preview", "the term sector has no preview"]


def lacks_the_pdf(copy):
    copy.replace("index.html", r'href="cuda-step-by-step.pdf"', 'href="index.html"')
    return ["no link to the PDF"]


def has_a_thin_pdf(copy):
    copy.write("cuda-step-by-step.pdf", "%PDF-1.4")
    return ["the chapters stand on the pages [0, 0"]


def takes_any_answer(copy):
    copy.replace("assets/questions.js", r"if \(isRight\(.*?\)\)", "if (input.value.length > 2)")
    return ["'1025' is taken", "a word is no number"]


def keeps_no_progress(copy):
    copy.replace("assets/progress.js", '"course-progress"', '"course-progress" + location.pathname')
    return ["an exercise solved: [] is done"]


def erases_nothing(copy):
    copy.replace("assets/progress.js", r"localStorage.removeItem\(KEY\);", "")
    return ["erased, progress is still shown", "erased: ["]


BROKEN = {
    "chapters-in-order": [skips_a_chapter, has_no_way_back],
    "chapter-contents": [has_poor_chapters],
    "search": [finds_other_pages, marks_nothing, searches_from_home_only],
    "search-keyboard": [knows_no_slash, knows_few_keys],
    "search-kindly": [forgives_nothing],
    "way": [knows_no_way],
    "previews": [explains_nothing],
    "whole-course": [lacks_the_pdf, has_a_thin_pdf],
    "questions": [takes_any_answer],
    "progress": [keeps_no_progress, erases_nothing],
    "theme": [forgets_the_theme, has_one_theme, ignores_the_system],
    "small-screen": [has_no_menu, has_a_menu_that_stays, has_its_menu_open],
    "contrast": [is_pale],
    "print": [prints_its_frame],
    "screenshots": [is_empty],
    "readable": [is_drawn_small, cuts_pictures],
    "enlarging": [enlarges_nothing],
    "copying": [copies_all],
    "without-scripts": [has_dead_buttons],
    "explorer": [explores_nothing, explores_otherwise],
    "accessible": [is_for_few],
    "narrow": [is_wide],
    "pictures": [lacks_a_picture],
    "links": [leads_nowhere],
    "repository-files": [names_what_is_gone],
    "console": [complains],
    "offline": [asks_elsewhere],
}


def main():
    options = site_test.parser()
    options.add_argument("--only", choices=BROKEN, metavar="NAME", help="the copies for this check alone")
    arguments = options.parse_args()
    site_test.enter(arguments.venv)
    found, missing = site_test.needs(arguments)
    if missing:
        return site_test.skip(missing)
    status = site_test.build(arguments.site, arguments.source)
    if status:
        return status if status == site_test.SKIPPED else 1
    blind = sorted(set(site_test.CHECKS) ^ set(BROKEN))
    passed, failed = 0, len(blind)
    for name in blind:
        print(f"FAILED  {name} is never shown a broken site, or is no check")
    playwright, program = found
    arguments.out.mkdir(parents=True, exist_ok=True)
    with playwright() as driver, tempfile.TemporaryDirectory(dir=arguments.out) as folder:
        site = browser.Site(arguments.site, arguments.source)
        chromium = browser.Browser(driver, program)
        for name, ways in BROKEN.items():
            for way in ways if arguments.only in (None, name) else []:
                began = time.monotonic()
                copy = Copy(site, pathlib.Path(folder) / way.__name__)
                wanted = way(copy)
                chromium.errors.clear()
                chromium.requests.clear()
                problems = site_test.check(name, site_test.Run(copy, chromium, copy.folder / "pictures", [name]))
                unseen = [text for text in wanted if not any(text in problem for problem in problems)]
                failed += bool(unseen)
                passed += not unseen
                title = f"{name}: a site that {way.__name__.replace('_', ' ')}"
                print(f"{'FAILED' if unseen else 'ok':6}  {title}  ({time.monotonic() - began:.1f} s)", flush=True)
                for text in unseen:
                    print(f"        not said: {text}")
                for problem in problems[:12] if unseen else []:
                    print(f"        said: {problem}")
                shutil.rmtree(copy.folder)
        chromium.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
