"""Draws the picture that README.md begins with, docs/cover/*.svg: two kernels' traffic, and the times on a GPU.

    python3 tools/pages cover                    draws the moving picture, for wide screens and for phones, and the
                                                 badges below it, and has README.md show them
    python3 tools/pages cover --check            changes nothing: the exit status is 1 if one is not what is drawn now
    python3 tools/pages cover --link FILE.svg    draws the picture that stands for a link to the site, 1200 x 630

All that it shows is in the repository: the lines in the chapters' programs, the accesses in docs/accesses and the
emulator's counts in docs/results, the sentence of the emulator in docs/reading-traffic.md, the times in the file of a
GPU. The picture moves by CSS alone. It begins and ends complete, so that whoever shows one frame, or nothing that
moves, shows all of it.
"""

import pathlib
import re
import sys
from typing import NamedTuple

import address
import badges
import drawn_files
import results_files
from places import ROOT

from svg import Picture, data_of  # isort: skip (places says where it is)

README, FOLDER = ROOT / "README.md", ROOT / "docs" / "cover"
GPU, SIZE = "nvidia-h200", 16384
CHAPTERS = {"01_global": ("global.cu", "global", "A row by row"),
            "02_coalesced": ("coalesced.cu", "coalesced", "A column by column")}  # fmt: skip
# Of the ladder, in its layout of the second chapter, the last kernel that anyone can read in a minute.
LAST = ("06_unroll", "split two passes")
MARKED = re.compile(r"^! +\d+ ld .*\n", re.MULTILINE)
CYCLE = 16  # seconds
MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Layout(NamedTuple):
    """Sizes in pixels."""

    width: int
    pad: int
    code: float
    text: float
    title: float
    count: float
    in_a_row: int  # sectors
    sector: tuple  # width, height and gap
    labels: int  # the width of the names of bars
    breaks: bool  # whether lines are broken
    moves: bool = True


WIDE = Layout(800, 26, 21.5, 20, 23, 44, 16, (34, 17, 5), 250, False)
NARROW = Layout(360, 12, 11.3, 11.5, 13, 24, 16, (14, 10, 3), 106, True)

LINK = Layout(1200, 60, 28, 29, 30, 54, 16, (0, 0, 0), 270, False, moves=False)


class Traffic(NamedTuple):
    """What a step of a chapter's loop takes."""

    line: int
    code: str
    sectors: list  # of each sector of A the share that is used
    ideal: int
    total: int  # with those of x


def traffic(chapter):
    file, kernel, _ = CHAPTERS[chapter]
    access = data_of((ROOT / f"docs/accesses/{chapter[:2]}-{kernel}.svg").read_text(encoding="utf-8"))
    instruction = access["instruction"]
    used = {}
    for address in instruction["example"]["lanes"]:
        used.setdefault(address // 32, set()).update(range(address, address + instruction["bytes_a_lane"]))
    counted = results_files.load(f"emulator/{chapter}")["results"][0]
    steps = instruction["requests"]
    if counted["global_load_requests"] != 2 * steps or counted["global_load_sectors"] % steps:
        sys.exit(f"cover: {chapter}: a step is not a load of A and one of x")
    if len(used) != instruction["example"]["sectors"]:
        sys.exit(f"cover: {chapter}: {len(used)} sectors drawn, {instruction['example']['sectors']} counted")
    code = (ROOT / "chapters" / chapter / file).read_text(encoding="utf-8").splitlines()[access["line"] - 1].strip()
    return Traffic(access["line"], code, [len(used[sector]) / 32 for sector in sorted(used)],
                   instruction["example"]["ideal_sectors"], counted["global_load_sectors"] // steps)  # fmt: skip


def sentence():
    """Why the emulator marks the line of chapter 01, in its own words: two pieces."""
    listing = (ROOT / "docs/reading-traffic.md").read_text(encoding="utf-8")
    said = re.search(r"^line \d+: .*?: (\d+ sectors per\s+request where \d+ would do), and (.*?% of the bytes fetched are"
                     r"\s+used);", listing, re.MULTILINE | re.DOTALL)  # fmt: skip
    if not said or not MARKED.search(listing):
        sys.exit("cover: docs/reading-traffic.md has no listing with a marked line and the reason")
    return [" ".join(piece.split()) for piece in said.groups()]


def device():
    return results_files.load(GPU)["device"]["name"]


def times():
    """[(name, milliseconds)] on the GPU, the library's last."""
    rows = {(row["chapter"], row["kernel"]): row for row in results_files.measured_rows(GPU, LAST[0])
            if row["rows"] == row["cols"] == SIZE and row["cache"] == "cold"}  # fmt: skip
    found = [(f"chapter {chapter[:2]}", rows[chapter, kernel]["median_ms"]) for chapter, kernel in
             [*((chapter, told[1]) for chapter, told in CHAPTERS.items()), LAST]]  # fmt: skip
    return [*found, ("NVIDIA's cuBLAS", rows[LAST]["cublas_median_ms"])]


class Cover(Picture):
    """A card that fills from top to bottom. Each part has a time, in seconds, at which it is shown."""

    def __init__(self, layout, title, description):
        super().__init__(layout.width, 0, title, description)
        self.layout, self.shown, self.at, self.y = layout, {}, 0.0, 0.0

    def part(self, text, grows=False):
        if not self.layout.moves:
            self.add(text)
            return
        name = self.shown.setdefault((round(self.at, 2), grows), f"t{len(self.shown)}")
        self.add(f'<g class="{name}">{text}</g>')

    def words(self, x, text, size, colour="ink", kind="", anchor="start"):
        self.part(f'<text x="{x:g}" y="{self.y:g}" text-anchor="{anchor}" class="{colour} {kind}" '
                  f'style="font-size:{size:g}px">{text}</text>')  # fmt: skip

    def motion(self):
        """Complete for two seconds, then empty, then shown part by part until all of it is there again."""
        kinds = (("opacity:1", "opacity:0"), ("transform:none", "transform:scaleX(0)"))
        rules = []
        for (at, grows), name in self.shown.items():
            whole, none = ("{" + state + "}" for state in kinds[grows])
            start, end = (f"{100 * (at + after) / CYCLE:.1f}%" for after in (0, 0.9 if grows else 0.25))
            from_left = ";transform-box:fill-box;transform-origin:left" if grows else ""
            rules += [f"@keyframes {name}{{0%,12%{whole}14%,{start}{none}{end},to{whole}}}",
                      f".{name}{{animation:{name} {CYCLE}s infinite{from_left}}}"]  # fmt: skip
        return "@media (prefers-reduced-motion:no-preference){\n" + "\n".join(rules) + "\n}\n"

    def svg(self):
        width, height = self.size[0], round(self.y)
        self.size = (width, height)
        self.parts.insert(0, f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" '
                             'class="white line-line"/>')  # fmt: skip
        self.more_style = (f".code{{font-family:{MONO};white-space:pre}}.mark{{fill-opacity:.16}}\n"
                           f"{self.motion() if self.layout.moves else ''}")  # fmt: skip
        return super().svg()


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code_lines(mine, other, breaks, colour):
    """A line of code as text of an SVG, what differs from the other one in bold: one line, or two."""
    start = next(at for at, (a, b) in enumerate(zip(mine, other)) if a != b)
    end = next(at for at, (a, b) in enumerate(zip(mine[::-1], other[::-1])) if a != b)
    middle = f'<tspan class="bold {colour}">{escaped(mine[start:len(mine) - end])}</tspan>'
    line = escaped(mine[:start]) + middle + escaped(mine[len(mine) - end :])
    at = line.rindex(" * ") if breaks else len(line)
    return [line[:at], *([f"    {line[at + 1:]}"] if breaks else [])]


def panel(cover, chapter, seen, other, colour, why):
    """A chapter's line, and the sectors that a step of its loop takes."""
    layout = cover.layout
    pad, unit = layout.pad, layout.text
    cover.y += 1.55 * layout.title
    cover.words(pad, f'{chapter[:2]}<tspan dx="{0.5 * unit:g}" class="bold">{CHAPTERS[chapter][2]}</tspan>',
                layout.title)  # fmt: skip
    lines = code_lines(seen.code, other.code, layout.breaks, colour)
    cover.y += 0.75 * unit
    if len(why) > 1:
        cover.at += 0.9
        cover.part(f'<rect x="{pad - 6:g}" y="{cover.y:g}" width="{layout.width - 2 * pad + 12:g}" '
                   f'height="{(1.3 * len(lines) + 0.5) * layout.code:g}" rx="4" class="{colour} mark"/>')  # fmt: skip
        cover.at -= 0.9
    for number, line in enumerate(lines):
        cover.y += 1.3 * layout.code
        cover.words(pad, f'<tspan class="faint">{seen.line if number == 0 else "  "}</tspan>  {line}', layout.code,
                    kind="code")  # fmt: skip
    cover.y += 1.25 * unit
    wide, high, gap = layout.sector
    top = cover.y
    for number, share in enumerate([*seen.sectors, None]):
        cover.at += 1.6 / 33
        row, column = divmod(number, layout.in_a_row)
        if share is None:  # x, beyond the row
            row, column = 0, layout.in_a_row + 0.5
        x, y = pad + column * (wide + gap), top + row * (high + gap)
        of_x = share is None
        used = 4 / 32 if of_x else share
        shade = "faint" if of_x else colour
        cover.part(f'<rect x="{x:g}" y="{y:g}" width="{used * wide:g}" height="{high}" class="{shade}"/>'
                   f'<rect x="{x:g}" y="{y:g}" width="{wide}" height="{high}" class="none {shade}-line"/>')  # fmt: skip
    rows = -(-len(seen.sectors) // layout.in_a_row)
    cover.y = top + high + 0.95 * unit
    cover.words(pad + (layout.in_a_row + 0.5) * (wide + gap) + wide / 2, "x", unit, "faint", anchor="middle")
    cover.at += 0.2
    right = layout.width - pad
    cover.y = top + (0.72 * layout.count if rows > 1 else high) + (0 if rows > 1 else 0.1 * layout.count)
    number_y = cover.y
    cover.words(right, f'<tspan class="bold">{seen.total}</tspan>', layout.count, colour, anchor="end")
    cover.y = number_y + 1.05 * unit
    cover.words(right, "sectors", unit, colour, anchor="end")
    cover.y = top + rows * (high + gap) + unit
    for line in why:
        cover.words(pad, line, unit, colour)
        cover.y += 1.25 * unit
    cover.y = max(cover.y - 0.6 * unit, number_y + 1.05 * unit)
    cover.at += 0.6


def bars(cover, measured):
    layout = cover.layout
    cover.y += 1.75 * layout.title
    cover.words(layout.pad, f'<tspan class="bold">The time</tspan><tspan dx="{0.5 * layout.text:g}" class="faint" '
                            f'style="font-size:{layout.text:g}px">{SIZE:,} × {SIZE:,} floats, on an {device()}</tspan>',
                layout.title)  # fmt: skip
    longest = max(ms for _, ms in measured)
    left = layout.pad + layout.labels
    room = layout.width - layout.pad - left - 5.2 * layout.text
    cover.y += 0.3 * layout.text
    for number, (name, ms) in enumerate(measured):
        cover.at += 0.35
        cover.y += 1.5 * layout.text
        colour = ("b", "a", "a", "faint")[number]
        cover.words(layout.pad, name, layout.text)
        length = room * ms / longest
        cover.part(f'<rect x="{left:g}" y="{cover.y - 0.8 * layout.text:g}" width="{length:.1f}" '
                   f'height="{layout.text:g}" class="{colour}"/>', grows=True)  # fmt: skip
        cover.at += 0.5
        cover.words(left + length + 0.4 * layout.text, f"{ms:.2f} ms", layout.text, kind="bold")
        cover.at -= 0.5
    cover.y += 1.1 * layout.text


def cover(layout):
    first, second = (traffic(chapter) for chapter in CHAPTERS)
    measured, why = times(), sentence()
    if second.ideal != len(second.sectors) or set(second.sectors) != {1.0}:
        sys.exit("cover: the second kernel does not take the fewest sectors that would do")
    spoken = ", ".join(f"{name} {ms:.2f} ms" for name, ms in measured)
    picture = Cover(
        layout, f"One step of a kernel's loop: {first.total} sectors, then {second.total}",
        f"Chapter 01, A row by row: {first.code} takes {first.total} sectors of memory for 32 threads, and the "
        f"emulator marks the line: {', and '.join(why)}. Chapter 02, A column by column: {second.code} takes "
        f"{second.total}, and every byte of A's is used. The time on an {device()}, {SIZE:,} × {SIZE:,}: {spoken}.")  # fmt: skip
    picture.at, picture.y = 2.6, 1.6 * layout.text
    for line in ("One step of the loop, for 32 threads. A box is a",
                 "sector of memory, 32 bytes; filled: what is used."):
        picture.words(layout.pad, line, layout.text, "faint")
        picture.y += 1.25 * layout.text
    picture.y -= layout.text
    panel(picture, "01_global", first, second, "b",
          [f"! {why[0]}:", why[1]])
    picture.at += 0.4
    panel(picture, "02_coalesced", second, first, "a", ["100 % of A's bytes are used"])
    bars(picture, measured)
    return picture


def for_links():
    """The picture that is where somebody names the site: at rest, on a light ground."""
    title = "CUDA, step by step"
    claim = ["A course in CUDA C++ that runs with or without a GPU", "and shows what each line asks of memory"]
    picture = Cover(LINK, title, " ".join(claim))
    picture.y = 98
    picture.words(LINK.pad, title, 68, kind="bold")
    picture.y += 8
    for line in claim:
        picture.y += 44
        picture.words(LINK.pad, line, 32, "faint")
    picture.y += 26
    seen = [traffic(chapter) for chapter in CHAPTERS]
    for one, other, colour in ((seen[0], seen[1], "b"), (seen[1], seen[0], "a")):
        picture.y += 62
        picture.words(LINK.pad, code_lines(one.code, other.code, False, colour)[0], LINK.code, kind="code")
        picture.words(LINK.width - LINK.pad, f'<tspan class="bold">{one.total}</tspan><tspan style="font-size:26px">'
                                             " sectors</tspan>", LINK.count, colour, anchor="end")  # fmt: skip
    bars(picture, times())
    picture.y = 630
    return picture.svg().replace("@media (prefers-color-scheme:dark)", "@media not all")


def drawn():
    return {"cover.svg": cover(WIDE).svg(), "cover-narrow.svg": cover(NARROW).svg()} | badges.drawn()


def shown(text):
    """README.md with what it shows of them."""
    told = escaped(cover(WIDE).description).replace('"', "&quot;")
    for name, inside in (
        ("cover", '<picture>\n<source media="(max-width: 500px)" srcset="docs/cover/cover-narrow.svg">\n'
                  f'<img alt="{told}" src="docs/cover/cover.svg" width="{WIDE.width}">\n</picture>'),
        ("badges", badges.markdown(address.field("repository-code"))),
    ):  # fmt: skip
        block = re.compile(rf"^<!-- {name} -->\n.*?^<!-- end of {name} -->$", re.MULTILINE | re.DOTALL)
        if not block.search(text):
            sys.exit(f"cover: README.md has no place for {name}")
        text = block.sub(lambda _, put=f"<!-- {name} -->\n{inside}\n<!-- end of {name} -->": put, text)
    return text


def main(arguments):
    match arguments:
        case []:
            drawn_files.write(FOLDER, drawn())
            README.write_text(shown(README.read_text(encoding="utf-8")), encoding="utf-8")
            return 0
        case ["--check"]:
            pictures, text = drawn(), README.read_text(encoding="utf-8")
            wrong = list(drawn_files.faults(FOLDER, pictures))
            wrong += [] if shown(text) == text else ["README.md: stale"]
            print(*wrong, f"{len(pictures)} pictures checked, {len(wrong)} wrong", sep="\n")
            return 1 if wrong else 0
        case ["--link", file]:
            pathlib.Path(file).write_text(for_links(), encoding="utf-8")
            return 0
    sys.exit("cover: want nothing, --check or --link FILE.svg")
