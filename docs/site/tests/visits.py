"""Opens every page once, for all checks that look at every page: on a desktop, and then made as narrow as phones."""

import collections
import zlib

DESKTOP, PHONE, SMALL_PHONE = SIZES = ((1440, 900), (390, 844), (320, 844))
LISTINGS_OPENED = 8
SEARCH = "index.html?search=bank+conflict"

# What a check looks at: a function of the open page, its name and the site for each size, and what is to be done with
# the page before all; and whether it takes so long that only pages that are drawn may be looked at.
Looks = collections.namedtuple("Looks", ["at", "prepare", "takes_long"], defaults=[lambda page: None, False])


def opened_listings(site):
    """Listings have all the same frame and come from one function: a few are opened, and those of coalesced.cu, which
    chapters show."""
    few = site.listings[::max(1, len(site.listings) // LISTINGS_OPENED)]
    return list(dict.fromkeys(few + [name for name in site.listings if name.endswith("coalesced.cu.html")]))


def is_drawn(name, draw):
    """Whether it is this page's turn. `draw`: (turn, turns), or None for all pages."""
    return draw is None or zlib.crc32(name.encode()) % draw[1] == draw[0]


def visit(browser, site, looks, draw, always):
    """Lets all looks be taken: check -> page -> what its look has found at each of its sizes. What takes long is done
    where it is the page's turn, and on the pages `always`."""
    found = {check: {} for check in looks}
    with browser.page(*DESKTOP) as page:
        for look in looks.values():
            look.prepare(page)
        for name in [*site.written, SEARCH, *opened_listings(site)]:
            page.set_viewport_size(dict(zip(("width", "height"), DESKTOP)))
            page.goto(site.url(name))
            if name == SEARCH:
                page.locator(".search-result").first.wait_for()
            for width, height in SIZES:
                size = (width, height)
                if size != DESKTOP:
                    page.set_viewport_size({"width": width, "height": height})
                for check, look in looks.items():
                    if size in look.at and (not look.takes_long or name in always or is_drawn(name, draw)):
                        found[check].setdefault(name, []).append(look.at[size](page, name, site))
    return found
