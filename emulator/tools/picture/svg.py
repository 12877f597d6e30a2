"""What the drawn pictures share: colours that suit a white page and a dark one, and a drawing that grows."""

import json
import re
from xml.sax.saxutils import escape, unescape

FONTS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"

# Colours that colour-blind readers tell apart (Okabe and Ito's, the orange darker, as text is set in it): on a
# white page, and on a dark one.
COLOURS = {
    "ink": ("#1f2328", "#e6edf3"),
    "faint": ("#59636e", "#9198a1"),
    "line": ("#d1d9e0", "#3d444d"),
    "a": ("#0072b2", "#56b4e9"),
    "b": ("#bd5300", "#e69f00"),
    "c": ("#00805d", "#2fc79b"),
    "white": ("#ffffff", "#0d1117"),  # on a filled cell
}


def style():
    def rules(which):
        text = ""
        for name, colours in COLOURS.items():
            text += f".{name}{{fill:{colours[which]}}}.{name}-line{{stroke:{colours[which]}}}\n"
        return text

    return (
        f"text{{font-family:{FONTS};font-size:13px}}.small{{font-size:11.5px}}.bold{{font-weight:600}}\n"
        f".none{{fill:none}}.pale{{fill-opacity:.22}}\n{rules(0)}@media (prefers-color-scheme:dark){{\n{rules(1)}}}\n"
    )


def with_data(svg, data):
    """The picture's text, with what it was drawn from in it: it can be drawn again, in another width."""
    return svg.replace("</desc>\n", f"</desc>\n<metadata>{escape(json.dumps(data, separators=(',', ':')))}</metadata>\n", 1)


def data_of(svg):
    """What a picture was drawn from; None if it does not say."""
    found = re.search("</desc>\n<metadata>(.*)</metadata>\n", svg)
    return json.loads(unescape(found[1])) if found else None


class Picture:
    """A drawing that grows: shapes by their corner, width and height; colours by their names."""

    def __init__(self, width, height, title, description, more_style=""):
        self.size, self.title, self.description, self.parts = (width, height), title, description, []
        self.more_style = more_style

    def add(self, part):
        self.parts.append(part)

    def rect(self, x, y, width, height, colour, pale=False):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                 f'class="{colour}{" pale" if pale else ""}"/>')  # fmt: skip

    def frame(self, x, y, width, height, colour="ink", thick=1.5):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                 f'class="none {colour}-line" stroke-width="{thick:g}"/>')  # fmt: skip

    def line(self, x1, y1, x2, y2, colour="line", thick=1.0, arrow=False):
        self.add(f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" class="none {colour}-line" stroke-width="{thick:g}"/>')
        if arrow:
            length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
            u, v = (x2 - x1) / length, (y2 - y1) / length
            points = [(x2 + 3 * u, y2 + 3 * v)]
            points += [(x2 - 6 * u - s * 4 * v, y2 - 6 * v + s * 4 * u) for s in (1, -1)]
            self.add(f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}Z" class="{colour}"/>')

    def text(self, x, y, text, colour="ink", anchor="middle", weight="", small=False):
        kind = " ".join(filter(None, [colour, weight, "small" if small else ""]))
        self.add(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>')

    def grid(self, x, y, cols, rows, cell, every=1):
        """A matrix: cells, and its frame."""
        for k in range(0, cols + 1, every):
            self.line(x + k * cell, y, x + k * cell, y + rows * cell)
        for k in range(0, rows + 1, every):
            self.line(x, y + k * cell, x + cols * cell, y + k * cell)
        self.frame(x, y, cols * cell, rows * cell, "faint", 1.2)

    def axes(self, x, y, length=34):
        """x counts columns, y rows."""
        self.line(x, y, x + length, y, "faint", 1.4, arrow=True)
        self.line(x, y, x, y + length, "faint", 1.4, arrow=True)
        self.text(x + length + 9, y + 4, "x: columns", "faint", "start", small=True)
        self.text(x - 4, y + length + 18, "y: rows", "faint", "start", small=True)

    def svg(self):
        width, height = self.size
        return (
            f'<svg role="img" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n<title>{escape(self.title)}</title>\n'
            f"<desc>{escape(self.description)}</desc>\n<style>{style()}{self.more_style}</style>\n"
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )
