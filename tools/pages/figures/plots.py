"""Draws the figures of the pages, docs/figures/*.svg, from the files of results.

    python3 tools/pages plots                draws all figures (needs matplotlib; Debian: python3-matplotlib)
    python3 tools/pages plots --out FOLDER   draws them there
    python3 tools/pages plots --check        draws nothing and needs nothing: the exit status is 1 if a figure is
                                             missing, too large, nobody's, older than its results or than VERSION, or
                                             if a chapter's page does not show the one that tells its story

The figures that tell the chapters' stories are rows of a table, in rung_plots.py. Any other is one function, named in a
list PLOTS of vector_plots.py, product_plots.py or register_plots.py, or drawn_plots.py's for each file of drawn shapes.
It gets a GPU's name and what ./course measure wrote on it, and returns a Figure, or None where the file has nothing to
draw. Whatever is drawn comes from the figure's `rows`: their SHA-256 is in the SVG, and so --check knows without
drawing. Each can also be drawn for phones, as NAME-narrow: phones.py does that when the site is built.
"""

import hashlib
import io
import json
import pathlib
import re
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import accuracy_plots
import drawn_plots
import histogram_plots
import link_plots
import product_plots
import register_plots
import results_files
import rung_plots
import vector_plots
from places import ROOT
from plotting import DARK, FONTS, SETTINGS, for_phones

FOLDER = ROOT / "docs" / "figures"
VERSION = 4  # count up when a figure would look otherwise from the same rows
LARGEST = 40 * 1024  # bytes of a file


def all_figures():
    """By the names of their files, those for phones included."""
    plots = vector_plots.PLOTS + product_plots.PLOTS + register_plots.PLOTS + histogram_plots.PLOTS
    plots += accuracy_plots.PLOTS + link_plots.PLOTS
    made = [plot(gpu, results_files.load(gpu)) for gpu in results_files.gpus() for plot in plots]
    made += [figure for gpu in results_files.all_gpus() for figure in drawn_plots.figures(gpu)]
    made += rung_plots.figures()
    both = [each for figure in made if figure for each in (figure, for_phones(figure))]
    return {f"{figure.name}.svg": figure for figure in both}


def kept_figures():
    """What the repository keeps."""
    return {name: figure for name, figure in all_figures().items() if not figure.name.endswith("-narrow")}


def stamp(figure):
    """What an SVG says of where it comes from."""
    text = json.dumps(figure.rows, sort_keys=True)
    return f"tools/pages plots {VERSION}, rows sha256 {hashlib.sha256(text.encode()).hexdigest()}"


def style_sheet():
    """The reader's font, and the dark page's colours in place of the light one's."""
    rules = ""
    for light, dark in DARK.items():
        for what in ("fill", "stroke"):
            rules += f'[style*="{what}: {light}"]{{{what}:{dark} !important}}\n'
    return f"text{{font-family:{FONTS} !important}}\n@media (prefers-color-scheme:dark){{\n{rules}}}\n"


def slim(text):
    """The drawing of matplotlib's without what it says twice: a third of it."""
    text = re.sub(r" *<!--.*?-->\n", "", text, flags=re.DOTALL)
    text = re.sub(r' transform="rotate\(-0 [^"]*"|(?<=[\d\w"]) (?=\n)', "", text)
    text = re.sub(r"\n +", "\n", text)
    # A hundredth of a point is enough; what is between tags is the reader's.
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0]), text)
    uses = re.compile(r'(<use xlink:href="#(\w+)"[^>]*?) style="([^"]*)"/>')
    styles = {}
    for _, marker, style in uses.findall(text):
        styles.setdefault(marker, set()).add(style)
    for marker, [style, *others] in styles.items():
        if not others:  # then the marker itself can have it
            text = re.sub(rf'(<path id="{marker}"[^>]*?) style="[^"]*"', rf'\1 style="{style}"', text)
            text = uses.sub(lambda use, own=marker: f"{use[1]}/>" if use[2] == own else use[0], text)
    return text


def svg(figure):
    try:
        import matplotlib
    except ImportError:
        sys.exit("plots: drawing needs matplotlib (Debian, Ubuntu: python3-matplotlib); --check does not")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Page

    out = io.StringIO()
    with matplotlib.rc_context(SETTINGS | {"svg.hashsalt": figure.name}):
        page = Page(figsize=(figure.width, figure.height))
        FigureCanvasAgg(page)  # it can say how large a text is
        figure.draw(page)
        page.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = slim(re.sub(r" *<metadata>.*?</metadata>\n", "", out.getvalue(), flags=re.DOTALL))
    own = f"<title>{escape(figure.title)}</title>\n<desc>{escape(figure.description)}</desc>\n"
    own += f"<metadata>{stamp(figure)}</metadata>\n<style>{style_sheet()}</style>\n"
    # With this role a screen reader says the title, not every tick of the axes.
    return re.sub(r"<svg ([^>]*)>\n", lambda tag: f'<svg role="img" {tag[1]}>\n{own}', text, count=1)


def wrong_with(path, figure):
    """What is wrong with a figure's file, in a word; None if all is well."""
    if not path.is_file():
        return "missing"
    if path.stat().st_size > LARGEST:
        return "too large"
    try:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    except ElementTree.ParseError:
        return "no SVG"
    said = [root.findtext("{http://www.w3.org/2000/svg}" + tag) for tag in ("title", "desc", "metadata")]
    return None if said == [figure.title, figure.description, stamp(figure)] else "stale"


def told(chapters):
    """Which chapters' pages do not tell their story by one figure, each its own: lines."""
    for page in sorted(chapters.glob("[0-9][0-9]_*/README.md")):
        name = rung_plots.name_of(page.parent.name)
        stories = {rung_plots.name_of(chapter) for chapter in (*rung_plots.STORIES, *rung_plots.TOLD_BY)}
        shown = re.findall(r"/docs/figures/([^)\s]+)\.svg\)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        if not name:
            yield f"{page.parent.name}: no figure tells its story: add one to rung_plots.py"
        elif [figure for figure in shown if figure in stories] != [name]:
            yield f"{page.parent.name}: its page has to show {name}.svg, once, and no other chapter's"


def check(folder, chapters=None):
    figures = kept_figures()
    wrong = {name: wrong_with(folder / name, figure) for name, figure in figures.items()}
    wrong |= {path.name: "nobody's" for path in folder.glob("*") if path.name not in figures}
    found = [f"{name}: {what}" for name, what in sorted(wrong.items()) if what]
    found += told(chapters) if chapters else []
    print(*found, f"{len(figures)} figures checked, {len(found)} wrong", sep="\n")
    return bool(figures) and not found


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in kept_figures().items():
        (folder / name).write_text(svg(figure), encoding="utf-8")
        print(f"{name}: drawn")


def main(arguments):
    match arguments:
        case [] | ["--out", _]:
            draw(pathlib.Path(arguments[1]) if arguments else FOLDER)
            return 0
        case ["--check"]:
            return 0 if check(FOLDER, ROOT / "chapters") else 1
    sys.exit("plots: want nothing, --check or --out FOLDER")
