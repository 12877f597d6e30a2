"""Makes of a page's Markdown what Doxygen turns into the same page.

Doxygen's Markdown differs from GitHub's, and from one version to the next. So Doxygen gets the frame: headings,
paragraphs and lists. What is in them and might be taken otherwise (code, links, emphasis, tables, pictures) is
replaced by a word, a *token*, and put in its place in the HTML that Doxygen has made (site_html.py).
"""

import html
import pathlib
import posixpath
import re
import xml.etree.ElementTree

import site_code
import site_pages

INLINE = re.compile(r"""(?P<code>(`+)(?P<code_text>.+?)(?<!`)\2(?!`))
    |(?P<image>!\[(?P<alt>[^\]]*)\]\((?P<image_target>[^)\s]+)\))
    |(?P<link>\[(?P<link_text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\))
    |(?P<auto><(?P<auto_target>https?://[^>\s]+)>)
    |(?P<bare>(?<![\w(])https?://[^\s<>)]*[\w/])
    |(?P<tag></?(?:sup|sub|kbd|br|em|strong)\s*/?>)
    |(?P<strong>\*\*(?P<strong_text>(?=\S).+?(?<=\S))\*\*)
    |(?P<em>(?<![\w*])\*(?P<em_text>(?=[^\s*]).+?(?<=[^\s*]))\*(?!\*))
    |(?P<escape>\\(?P<escaped>[\\`*_{}\[\]()#+.!|<>~-]))""", re.X | re.S)
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>[^\s`]*)")
COMMENT = re.compile(r"<!--.*?-->", re.S)
KERNEL = re.compile(r"<!-- kernel: (\S+) (\S+) -->")
QUESTION = re.compile(r"<!-- question: (?P<name>[\w-]+)"
                      r"(?:; answer: (?P<number>[\d,]*\d(?:\.\d+)?)(?: (?P<unit>[^;]+?))?"
                      r"(?:; within: (?P<within>[\d.]+))?(?:; from: [^;]+)?)? -->")
EXPLORER = re.compile(r"<!-- explorer: (\S+) -->")
FONT = re.compile(r"font(?:-size)?: *(?:\d+ )?([\d.]+)px")
LEAST_TEXT = 11.5  # pixels: as small as text in a picture may be
PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]+\)\s*")
PHONES = "(max-width: 599px)"  # as in the style sheets: there a picture drawn for phones is shown
REGION = re.compile(r"<!-- (?:results|shapes|predictions|goals|cpu|instructions|counters|checks|sanitizers|cost|speed|"
                    r"mistakes|exercises|list|hub|shared|turns|distribution|worst|clocks)\b")
LIST_ITEM = re.compile(r"^ *(?:[-*+]|\d+[.)]) ")


def breaking_well(code):
    """Code for a line of text, as HTML: an option stays whole, and a long name breaks where a part of it ends."""
    if len(code) > 16:
        code = re.sub(r"(_+|[=,.]|::)(?=\w)", r"\1<wbr>", code)
    return re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*", r'<span class="option">\g<0></span>', code)


class Problem(Exception):
    """Something wrong in a page: the message names the page."""


class Tokens:
    """HTML that waits outside Doxygen."""

    def __init__(self):
        self.html = []

    def inline(self, text):
        self.html.append(text)
        return f"SITETOKEN{len(self.html) - 1}END"

    def block(self, text):
        self.html.append(text)
        return f"SITEBLOCK{len(self.html) - 1}END"

    def restore(self, text):
        def one(match):
            return self.html[int(match.group(1))]
        text = re.sub(r"<p\b[^>]*>\s*SITEBLOCK(\d+)END\s*</p>", one, text)
        return re.sub(r"SITE(?:TOKEN|BLOCK)(\d+)END", one, text)


class Writer:
    """Writes the Markdown of one page for Doxygen."""

    def __init__(self, page, site):
        self.page = page
        self.site = site  # of build_site.py: source, tokens, pages by path, and what links ask for
        self.paragraphs = []  # as Doxygen got them, to be found again in what it made of them

    # -------------------------------------------------------------- inside a paragraph

    def parts(self, text):
        """The text in parts: ("text", as it is) and ("html", what is there)."""
        end = 0
        for match in INLINE.finditer(text):
            if match.start() > end:
                yield "text", text[end:match.start()]
            end = match.end()
            kind = match.lastgroup if match.lastgroup in ("bare", "tag") else None
            if match.group("code"):
                code = re.sub(r"\s*\n\s*", " ", match.group("code_text"))
                code = code[1:-1] if code[:1] == code[-1:] == " " and len(code) > 2 else code
                yield "html", f"<code>{breaking_well(html.escape(code, quote=False))}</code>"
            elif match.group("image"):
                yield "html", self.picture(match.group("alt"), match.group("image_target"))
            elif match.group("link"):
                yield "html", self.link(match.group("target"), self.inline_html(match.group("link_text")))
            elif match.group("auto") or kind == "bare":
                target = match.group("auto_target") or match.group()
                yield "html", self.link(target, html.escape(target, quote=False))
            elif kind == "tag":
                yield "html", match.group()
            elif match.group("strong"):
                yield "html", f"<strong>{self.inline_html(match.group('strong_text'))}</strong>"
            elif match.group("em"):
                yield "html", f"<em>{self.inline_html(match.group('em_text'))}</em>"
            else:
                yield "text", match.group("escaped")
        if end < len(text):
            yield "text", text[end:]

    def inline_html(self, text):
        return "".join(html.escape(part, quote=False) if kind == "text" else part for kind, part in self.parts(text))

    def inline_doxygen(self, text):
        """The text with tokens; whatever could be a command to Doxygen is hidden in one."""
        out = []
        for kind, part in self.parts(text):
            if kind == "html":
                out.append(self.site.tokens.inline(part))
            else:  # every character that means something to Doxygen, in any of its versions
                out.append(re.sub(r"[\\@<>&$#%*_~`^|=\"'{}\[\]]+|--+|::|\.\.\.",
                                  lambda m: self.site.tokens.inline(html.escape(m.group(), quote=False)), part))
        return "".join(out)

    def plain(self, text):
        return html.unescape(re.sub(r"<[^>]+>", "", self.inline_html(text)))

    # -------------------------------------------------------------- links and pictures

    def link(self, target, text):
        if re.match(r"[a-z]+:", target):
            return f'<a class="external" href="{html.escape(target)}" rel="noopener">{text}</a>'
        path, _, anchor = target.partition("#")
        if not path:
            return f'<a href="#{anchor}">{text}</a>'
        inside = posixpath.normpath(posixpath.join(self.page.path.parent.as_posix(), path))
        if self.page.group == "api" and path.endswith(".html"):
            return f'<a href="{path}{"#" + anchor if anchor else ""}">{text}</a>'  # a page that only the site has
        url = self.site.url_of(inside)
        if url is None:
            raise Problem(f"{self.page.path}: a link to {target}, which does not exist")
        return f'<a href="{url}{"#" + anchor if anchor else ""}">{text}</a>'

    def drawn(self, inside, file):
        """The URLs of a picture on light and on dark pages, and its size."""
        size = ""
        if file.suffix == ".svg":
            box = xml.etree.ElementTree.parse(file).getroot().get("viewBox", "").split()
            texts = [float(size) for size in FONT.findall(file.read_text(encoding="utf-8"))]
            scale = max(1, LEAST_TEXT / min(texts, default=LEAST_TEXT))
            size = f' width="{scale * float(box[2]):.0f}" height="{scale * float(box[3]):.0f}"' if len(box) == 4 else ""
        return *self.site.picture(inside, file), size

    def picture(self, alt, target):
        """A picture; on phones the one that is drawn for them, if there is one."""
        inside = posixpath.normpath(posixpath.join(self.page.path.parent.as_posix(), target))
        file, narrow = self.site.source / inside, self.site.phones / inside
        if not alt.strip():
            raise Problem(f"{self.page.path}: the picture {target} has no text that stands for it")
        if not file.is_file():
            raise Problem(f"{self.page.path}: the picture {target} does not exist")
        light, dark, size = self.drawn(inside, file)
        instead, alt = {}, html.escape(alt)
        if narrow.is_file():
            path = pathlib.PurePosixPath(inside)
            narrow_light, narrow_dark, narrow_size = self.drawn(f"{path.with_stem(path.stem + '-narrow')}", narrow)
            instead = {light: narrow_light, dark: narrow_dark}

        def image(url, kind=""):
            one = f'<img{kind} src="{url}" alt="{alt}"{size}>'
            if not instead:
                return one
            return f'<picture><source media="{PHONES}" srcset="{instead[url]}"{narrow_size}>{one}</picture>'

        images = image(light)
        if dark:
            images = image(light, ' class="only-light"') + image(dark, ' class="only-dark"')
        return (f'<span class="picture{"" if dark else " on-card"}">'
                f'<span class="picture-box" tabindex="0" role="group" aria-label="Picture">{images}</span></span>')

    # -------------------------------------------------------------- blocks

    def table(self, lines):
        """A table of GitHub's Markdown. The second line says how columns are aligned."""
        def cells(line):
            line = re.sub(r"^\s*\||\|\s*$", "", line)
            inside = re.split(r"(`+[^`]*`+)", line)  # a bar in code does not end a cell
            marked = "".join(part.replace("|", "\0") if index % 2 == 0 else part.replace("\\|", "|")
                             for index, part in enumerate(inside))
            return [cell.strip() for cell in marked.replace("\\\0", "|").split("\0")]
        align = ["num" if rule.endswith(":") and not rule.startswith(":") else "" for rule in cells(lines[1])]

        def row(line, tag, scope=""):
            out = []
            for index, cell in enumerate(cells(line)):
                kind = ' class="num"' if index < len(align) and align[index] else ""
                name, extra = (tag, scope) if cell or tag == "td" else ("td", "")  # an empty head does not count
                shown = re.sub(r"(?<=\d) (?=%)", "\u00a0", self.inline_html(cell))  # a lonely % reads badly
                out.append(f"<{name}{extra}{kind}>{shown}</{name}>")
            return f"<tr>{''.join(out)}</tr>"
        head = row(lines[0], "th", ' scope="col"')
        body = "\n".join(row(line, "td") for line in lines[2:])
        return (f'<div class="table-box" tabindex="0" role="group" aria-label="Table"><table class="data"><thead>{head}'
                f"</thead>\n<tbody>\n{body}\n</tbody></table></div>")

    def kernel(self, file, function):
        path = (pathlib.PurePosixPath(self.page.path).parent / file).as_posix()
        source = self.site.source / path
        if not source.is_file():
            raise Problem(f"{self.page.path}: a kernel of {file}, which does not exist")
        text = source.read_text(encoding="utf-8")
        place = site_code.find_function(text, function)
        if place is None:
            raise Problem(f"{self.page.path}: no function {function} in {file}")
        first, last = place
        lines = "\n".join(text.split("\n")[first - 1:last])
        url = self.site.url_of(path)
        where = re.sub(r"(?<=[/_])(?=\w)", "<wbr>", html.escape(file))
        return (f'<figure class="kernel"><figcaption><code>{html.escape(function)}</code> in '
                f'<a href="{url}#L{first}">{where}</a>, lines {first} to {last}</figcaption>'
                f"{site_code.listing(lines, 'cpp', first, within=True)}</figure>")

    def check_question(self, right):
        if not right:
            raise Problem(f"{self.page.path}: a question without its end, or an end without its question")

    def question(self, comment):
        """What opens a question; a number that answers it is there for questions.js."""
        match = QUESTION.fullmatch(comment)
        if not match:
            raise Problem(f"{self.page.path}: not the form of a question: {comment}")
        self.site.questions += 1
        known = {"answer": (match["number"] or "").replace(",", ""), "within": match["within"], "unit": match["unit"]}
        data = "".join(f' data-{key}="{html.escape(value)}"' for key, value in known.items() if value)
        return f'<div class="question" data-name="{match["name"]}"{data}>'

    def explorer(self, name, lines, at, block):
        """A figure that moves, in place of the picture that follows the mark, if one does. Gives the line after it."""
        if f'"{name}": [' not in self.site.explorer_cases:
            raise Problem(f"{self.page.path}: an explorer '{name}', which docs/site/theme/explorer_cases.js has not")
        end = at
        while end < len(lines) and lines[end].strip():
            end += 1
        picture = "\n".join(lines[at:end])
        taken = PICTURE.fullmatch(picture)
        shown = self.inline_html(picture) if taken else ""
        block(f'<div class="explorer" data-cases="{name}">{shown}</div>')
        return end if taken else at

    def heading(self, level, text, headings):
        shown = re.sub(r"\s+#+$", "", text.strip())
        anchor = site_pages.anchor_of(self.plain(shown))
        known = [other for _, other, _ in headings]
        number = 1
        while anchor in known:
            number, anchor = number + 1, f"{re.sub(r'-[0-9]+$', '', anchor)}-{number}"
        if level == 1:
            return f"# {self.site.tokens.inline(self.inline_html(shown))} {{#{self.page.name}}}"
        headings.append((level, anchor, self.inline_html(shown)))
        label = f"{self.page.name}--{len(headings)}"  # Doxygen's, unique in the whole site
        return f"{'#' * level} {self.site.tokens.inline(self.inline_html(shown))} {{#{label}}}"

    def run(self, text):
        """The page for Doxygen. Fills the page's headings and description."""
        lines = text.split("\n")
        out, region, at = [], "", 0  # region: in a table of results, before its table or after it
        headings = self.page.headings = []
        in_list = in_question = False

        def block(content, indent=""):
            out.extend(["", indent + self.site.tokens.block(content), ""])

        while at < len(lines):
            line = lines[at]
            fence = FENCE.match(line)
            if fence:
                indent, mark = fence.group("indent"), fence.group("fence")
                end = at + 1
                while end < len(lines) and not lines[end].strip().startswith(mark):
                    end += 1
                body = [inner[len(indent):] if inner.startswith(indent) else inner for inner in lines[at + 1:end]]
                block(site_code.block("\n".join(body), fence.group("language")), indent)
                at = end + 1
                continue
            if line.startswith("    ") and line.strip() and not in_list and (at == 0 or not lines[at - 1].strip()):
                end = at
                while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                    end += 1
                block(site_code.block("\n".join(inner[4:] for inner in lines[at:end]).strip("\n"), ""))
                at = end
                continue
            if line.startswith("<!--"):
                end = at
                while "-->" not in lines[end]:
                    end += 1
                comment = "\n".join(lines[at:end + 1])
                kernel = KERNEL.match(comment)
                if kernel:
                    block(self.kernel(*kernel.groups()))
                    while lines[end] != "<!-- end of kernel -->":  # the same, as GitHub shows it
                        end += 1
                        if end == len(lines):
                            raise Problem(f"{self.page.path}: a kernel without its end: {comment}")
                elif EXPLORER.match(comment):
                    at = self.explorer(EXPLORER.match(comment).group(1), lines, end + 1, block)
                    continue
                elif comment.startswith("<!-- site: "):
                    block(self.site.part(self, comment[len("<!-- site: "):-len("-->")].strip()))
                elif comment.startswith("<!-- question"):
                    self.check_question(not in_question)
                    in_question = True
                    block(self.question(comment))
                elif comment == "<!-- end of question -->":
                    self.check_question(in_question)
                    in_question = False
                    block("</div>")
                region = "start" if REGION.match(comment) else ""
                out.append("")
                at = end + 1
                continue
            if line.startswith("<picture>"):
                raise Problem(f"{self.page.path}: a <picture>: the build makes it, of ![words](file.svg)")
            heading = re.match(r"(#{1,6}) +(.*)", line)
            if heading:
                out.extend(["", self.heading(len(heading.group(1)), heading.group(2), headings), ""])
                in_list, at = False, at + 1
                continue
            if re.match(r"\s*</?details>|<summary>", line):
                block(line.strip().replace("<details>", '<details class="more">'))
                at += 1
                continue
            if line.startswith("|") and at + 1 < len(lines) and re.match(r"^\|[\s:|-]+$", lines[at + 1]):
                end = at
                while end < len(lines) and lines[end].startswith("|"):
                    end += 1
                block(self.table(lines[at:end]))
                region = "behind" if region else ""
                at = end
                continue
            if line.startswith("> ") or line == ">":
                end = at
                while end < len(lines) and lines[end].startswith(">"):
                    end += 1
                quote = "\n".join(inner[1:].strip() for inner in lines[at:end])
                paragraphs = "".join(f"<p>{self.inline_html(part)}</p>" for part in quote.split("\n\n"))
                block(f"<blockquote>{paragraphs}</blockquote>")
                at = end
                continue
            if not line.strip():
                out.append("")
                at += 1
                continue
            end = at  # a paragraph, or a list: as far as the next line that is something else
            while end < len(lines) and lines[end].strip() and not FENCE.match(lines[end]) \
                    and not lines[end].startswith(("|", "<!--", "#", "> ")):
                end += 1
            end = max(end, at + 1)
            text_here = COMMENT.sub("", "\n".join(lines[at:end]))
            if LIST_ITEM.match(line):
                in_list = True
            elif not line.startswith(" "):
                in_list = False
            after = next((rest for rest in lines[end:] if rest.strip()), "")
            if region == "behind" and not in_list and after.startswith(("<!-- end of", "|")):
                block(f'<p class="table-note">{self.inline_html(text_here)}</p>')
            else:
                if not self.page.description and not in_list and self.page.group != "home":
                    self.describe(text_here)
                written = self.inline_doxygen(text_here)
                self.paragraphs.append(written)
                out.append(written)
            at = end
        self.check_question(not in_question)
        return "\n".join(out) + "\n"

    def describe(self, paragraph):
        """The page's description for search engines: its first paragraph that is more than a pointer."""
        text = re.sub(r"\s+", " ", self.plain(paragraph))
        if not text.startswith("Program:") and len(text) > 40:
            self.page.description = text if len(text) <= 200 else text[:text.rfind(" ", 0, 197)] + " …"
