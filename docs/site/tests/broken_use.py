"""Ways to break what a site is used for: the way through it, search, questions. Each returns what the check must say."""

from site_copy import CSS, INDEX, WIDE_CSS


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


def forgets_names(copy):
    copy.replace("assets/search.js", r"score \+= ofTerm", "score += 0 * ofTerm")
    copy.replace("assets/search.js", r"score \+= opensPage", "score += 0 * opensPage")
    return ["'bank conflict' finds ", "'memory' finds "]


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


def has_dead_buttons(copy):
    copy.add(CSS, "html:not(.has-script) button.icon-button { display: grid !important; }")
    copy.add(WIDE_CSS, "html:not(.has-script) .picture img { display: none; }")
    return ["index.html, without scripts, has a dead <button", f"{copy.chapter(8)}, without scripts, shows 0"]


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


def knows_no_way(copy):
    copy.replace("index.html", r'(href="getting-started.html")', 'href="glossary.html"')
    copy.replace("structcourse_1_1Verdict.html", r'aria-current="true"', "")
    copy.replace("source/chapters/02_coalesced/coalesced.cu.html", r'<nav class="trail".*?</nav>', "")
    return ["the contents begin with index.html, glossary", "structcourse_1_1Verdict.html: [] is marked",
            "coalesced.cu.html: [] is linked above", "coalesced.cu.html does not say where it stands"]


def forgives_nothing(copy):
    copy.replace("assets/spelling.js", r"word.length < 4 \?", "true ?")
    copy.replace("assets/search.js", r"(section === explained\)) score \+= 4000", r"\1 score -= 4000")
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
