"""Ways to break how a site looks: themes, screens, paper, pictures. Each returns what the check must say."""

import re

from site_copy import CSS, WIDE_CSS


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


def enlarges_nothing(copy):
    copy.deaf("click", "event.target.closest('.picture-box, .close-button')")
    return ["a tap on .picture-box enlarges nothing"]


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
