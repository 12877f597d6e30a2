#!/usr/bin/env python3
"""Tests of the site's parts that need no Doxygen."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import build_site  # noqa: E402
import site_check  # noqa: E402
import site_code  # noqa: E402
import site_glossary  # noqa: E402
import site_html  # noqa: E402
import site_markdown  # noqa: E402
import site_pages  # noqa: E402
import site_pdf  # noqa: E402
import site_search  # noqa: E402
import site_sources  # noqa: E402

KERNELS = """#include "course.hpp"

// Adds. It says "}" and calls scale() below.
template <int block>
__global__ void __launch_bounds__(block)
    add(float* x, int n) {
  const char* brace = "}";  // and a { here
  if (n > 0) {
    x[0] += 1;
  }
}
void launch(float* x) { add<32><<<1, 32>>>(x, 1); }

// Not this one's comment.

__device__ float scale(float value);

int use() {
  if (scale(1)) {
    return 1;
  }
  return 0;
}

__device__ float scale(float value) {
  return 2 * value;
}
"""


class FakeSite:
    def __init__(self, source):
        self.source = source
        self.phones = source / "phones"
        self.tokens = site_markdown.Tokens()
        self.questions, self.explorer_cases = 0, '"rows": ['
        self.known = {"chapters/01_a/README.md": "chapter-01-a.html", "docs/guide.md": "guide.html",
                      "chapters/01_a/a.cu": "source/chapters/01_a/a.cu.html"}

    def url_of(self, inside):
        return self.known.get(inside)

    def picture(self, inside, file):
        return (f"images/{inside}", "") if file.is_file() else None

    def part(self, writer, name):
        raise site_markdown.Problem(name)


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = pathlib.Path(self.folder.name)
        (self.source / "chapters/01_a").mkdir(parents=True)
        (self.source / "chapters/01_a/a.cu").write_text(KERNELS, encoding="utf-8")
        self.site = FakeSite(self.source)
        self.page = site_pages.Page(pathlib.PurePosixPath("chapters/01_a/README.md"), "chapter-01-a", "chapters")

    def run_page(self, text):
        """The page as Doxygen gets it, the tokens put in their places."""
        return self.site.tokens.restore(site_markdown.Writer(self.page, self.site).run(text))

    def test_links_between_pages_keep_their_anchor(self):
        text = self.run_page("See [the guide](../../docs/guide.md#a-part).")
        self.assertIn('<a href="guide.html#a-part">the guide</a>', text)

    def test_a_question_and_its_answer(self):
        details = "<details>\n<summary>Answer</summary>\n\n32.\n\n</details>\n<!-- end of question -->\n"
        text = self.run_page("<!-- question: 01-some; answer: 1,024 sectors; within: 0.5; from: 01_a: a, loads -->\n"
                             f"How many?\n\n{details}\n<!-- question: 01-why -->\nWhy?\n\n{details}")
        self.assertIn('<div class="question" data-name="01-some" data-answer="1024" data-within="0.5" '
                      'data-unit="sectors">', text)
        self.assertIn('<div class="question" data-name="01-why">', text)
        self.assertEqual((text.count("</div>"), self.site.questions), (2, 2))
        for text, said in (("<!-- question: 01-why -->\nWhy?\n", "without its end"), (details, "an end without"),
                           ("<!-- question: 01-a; answer: many -->\n" + details, "not the form")):
            with self.assertRaisesRegex(site_markdown.Problem, said):
                self.run_page(text)

    def test_an_explorer_takes_the_place_of_the_picture_behind_it(self):
        (self.source / "p.png").write_bytes(b"")
        text = self.run_page("<!-- explorer: rows -->\n![P](../../p.png)\n\nText.\n\n"
                             "<!-- explorer: rows -->\n\nMore.\n")
        self.assertRegex(text, '<div class="explorer" data-cases="rows"><span class="picture[^>]*>.*</span></div>')
        self.assertIn('<div class="explorer" data-cases="rows"></div>', text)
        with self.assertRaisesRegex(site_markdown.Problem, "an explorer 'cols'"):
            self.run_page("<!-- explorer: cols -->\n")

    def test_what_stands_below_a_table_of_any_kind_is_its_note(self):
        text = (pathlib.Path(__file__).resolve().parents[2] / "tools/pages/tables/tables.py").read_text(encoding="utf-8")
        kinds = "".join(re.findall(r'"([a-z|]+)"', text[text.index("KINDS = ") :].partition(")")[0])).split("|")
        self.assertIn("clocks", kinds)
        for kind in set(kinds) - {"finding", "notes"}:  # these write no tables
            with self.subTest(kind):
                table = f"<!-- {kind}: a -->\n| a |\n|---|\n| b |\n\nBelow.\n<!-- end of {kind} -->\n"
                self.assertIn('<p class="table-note">Below.</p>', self.run_page(table))

    def test_options_do_not_break(self):
        text = self.run_page("Run `x --rows 2 -o a-b`.")
        self.assertIn('<code>x <span class="option">--rows</span> 2 <span class="option">-o</span> a-b</code>', text)

    def test_a_link_to_nothing_is_a_problem(self):
        with self.assertRaisesRegex(site_markdown.Problem, "missing.md"):
            self.run_page("See [it](missing.md).")

    def test_code_is_left_alone(self):
        text = self.run_page("A `x[i] * y[i] <<<a, b>>>` and `for (;;\n  ++i)`.")
        self.assertIn("<code>x[i] * y[i] &lt;&lt;&lt;a, b&gt;&gt;&gt;</code>", text)
        self.assertIn("<code>for (;; ++i)</code>", text)

    def test_emphasis_inside_a_word(self):
        self.assertIn("<strong>ge</strong>neral", self.run_page("`Sgemv`: **ge**neral matrix"))

    def test_signs_are_no_emphasis(self):
        self.assertNotIn("<em>", self.run_page("2 * 3 * 4 and m*n*k"))

    def test_doxygen_sees_no_commands(self):
        text = "An @file, a \\brief, <t> and #name, std::size_t, a -- b."
        written = site_markdown.Writer(self.page, self.site).run(text)
        for sign in "@\\<>#":
            self.assertNotIn(sign, written)
        self.assertNotIn("::", written)
        self.assertNotIn("--", written)

    def test_a_table_is_aligned_and_holds_bars_in_code(self):
        text = self.run_page("| a | b |\n|---|---:|\n| `x|y` | 1 |\n")
        self.assertIn('<td><code>x|y</code></td><td class="num">1</td>', text)

    def test_comments_vanish_but_not_those_in_code(self):
        text = self.run_page("A.\n\n<!-- hidden\nover lines -->\n\n    <!-- shown -->\n")
        self.assertNotIn("hidden", text)
        self.assertIn("&lt;!-- shown --&gt;", text)

    def test_the_kernel_comes_from_its_file(self):
        text = self.run_page("<!-- kernel: a.cu scale -->\nas GitHub shows it\n<!-- end of kernel -->\n")
        self.assertIn("lines 25 to 27", text)
        self.assertNotIn("as GitHub", text)
        self.assertIn('href="source/chapters/01_a/a.cu.html#L25"', text)

    def test_a_kernel_that_is_missing_is_a_problem(self):
        with self.assertRaisesRegex(site_markdown.Problem, "no function nothing"):
            self.run_page("<!-- kernel: a.cu nothing -->\n<!-- end of kernel -->\n")
        with self.assertRaisesRegex(site_markdown.Problem, "without its end"):
            self.run_page("<!-- kernel: a.cu scale -->\n")

    def test_a_picture_needs_words(self):
        (self.source / "chapters/01_a/p.svg").write_text('<svg xmlns="x" viewBox="0 0 4 3"/>', encoding="utf-8")
        self.assertIn('alt="A step" width="4" height="3"', self.run_page("![A step](p.svg)"))
        with self.assertRaisesRegex(site_markdown.Problem, "no text"):
            self.run_page("![](p.svg)")

    def test_a_picture_drawn_for_phones_too(self):
        for folder, width in (("chapters/01_a", 720), ("phones/chapters/01_a", 360)):
            (self.source / folder).mkdir(parents=True, exist_ok=True)
            (self.source / folder / "p.svg").write_text(f'<svg xmlns="x" viewBox="0 0 {width} 30"/>', encoding="utf-8")
        picture = '![A "step"](p.svg)'
        source = 'srcset="images/chapters/01_a/p-narrow.svg" width="360" height="30">'
        for text in (f"Text.\n\n{picture}\n\nText.", f"<!-- explorer: rows -->\n{picture}\n"):
            shown = self.run_page(text)
            self.assertIn(f'<picture><source media="(max-width: 599px)" {source}<img src="images/chapters/01_a/p.svg" '
                          'alt="A &quot;step&quot;" width="720" height="30"></picture>', shown)
            self.assertNotIn("SITETOKEN", shown)
        with self.assertRaisesRegex(site_markdown.Problem, "the build makes it"):
            self.run_page('<picture>\n<img src="p.svg" alt="A step">\n</picture>\n')
        with self.assertRaisesRegex(site_markdown.Problem, "does not exist"):
            self.run_page(picture.replace("p.svg", "q.svg"))
        (self.source / "phones/chapters/01_a/p.svg").unlink()
        self.assertNotIn("<picture>", self.run_page(picture))

    def test_equal_headings_have_anchors_of_their_own(self):
        self.run_page("# T\n\n## Same `x`\n\n## Same `x`\n")
        self.assertEqual([anchor for _, anchor, _ in self.page.headings], ["same-x", "same-x-1"])

    def test_previous_and_next(self):
        others = [site_pages.Page(pathlib.PurePosixPath(name), name, group, name) for name, group in
                  (("index", "home"), ("one", "chapters"), ("two", "chapters"), ("api", "api"))]
        links = site_html.neighbours(others, others[1])
        self.assertIn('rel="prev" href="index.html"', links)
        self.assertIn('rel="next" href="two.html"', links)
        self.assertNotIn('rel="next"', site_html.neighbours(others, others[2]))


class Doxygen(unittest.TestCase):
    PAGE = site_pages.Page(pathlib.PurePosixPath("a.md"), "a", "guides")

    def test_what_doxygen_changes_is_told(self):
        tokens = site_markdown.Tokens()
        paragraphs = [f"It is {tokens.inline('<em>so</em>')} --- or not.", "- one\n- two"]
        made = "<p>It is <em>so</em> {} or not.</p><ul><li>one</li><li>two</li></ul>"
        self.assertEqual(build_site.lost_text(self.PAGE, paragraphs, made.format("---"), tokens), [])
        found = build_site.lost_text(self.PAGE, paragraphs, made.format("&mdash;"), tokens)
        self.assertEqual(len(found), 1)
        self.assertIn("a.md: Doxygen changed 'It is", found[0])

    def test_a_heading_that_doxygen_lost_is_told(self):
        page = site_pages.Page(pathlib.PurePosixPath("a.md"), "a", "guides", headings=[(2, "part", "Part")])
        text = ('<div class="contents"><div class="textblock">'
                '<h1><a class="anchor" id="a--{}"></a>\nPart</h1></div></div>')
        content, missing = site_html.book_page(page, text.format(1), site_markdown.Tokens())
        self.assertIn('<h2 id="part">Part', content)
        self.assertEqual(missing, [])
        self.assertEqual(len(site_html.book_page(page, text.format(2), site_markdown.Tokens())[1]), 1)


class Code(unittest.TestCase):
    def test_a_function_with_its_comment_and_template(self):
        self.assertEqual(site_code.find_function(KERNELS, "add"), (3, 11))

    def test_a_class_by_its_name(self):
        text = "struct Other;\n\n// What a stage holds.\ntemplate <class T>\nstruct Stage : Base<T> {\n  T a[4];\n};\n"
        self.assertEqual(site_code.find_function(text, "Stage"), (3, 7))
        self.assertIsNone(site_code.find_function(text, "Other"))

    def test_neither_a_declaration_nor_a_call(self):
        self.assertEqual(site_code.find_function(KERNELS, "scale"), (25, 27))

    def test_every_kernel_that_a_page_names_is_whole(self):
        chapters = pathlib.Path(__file__).resolve().parents[2] / "chapters"
        named = 0
        for page in chapters.glob("*/*.md"):
            for file, function in site_markdown.KERNEL.findall(page.read_text(encoding="utf-8")):
                text = (page.parent / file).read_text(encoding="utf-8")
                first, last = site_code.find_function(text, function)
                lines = text.split("\n")[first - 1:last]
                code = site_code.blanked("\n".join(lines))
                indentation = lines[0][:len(lines[0]) - len(lines[0].lstrip())]  # a class's function has one
                self.assertIn(lines[-1], (f"{indentation}}}", f"{indentation}}};"), f"{page}: {function}")
                self.assertEqual(code.count("{"), code.count("}"), f"{page}: {function}")
                named += 1
        self.assertGreaterEqual(named, 10)

    def test_a_token_does_not_go_over_lines(self):
        text = site_code.highlight("/* a\nb */ int x;", "cpp")
        self.assertEqual(text, '<span class="tk-comment">/* a</span>\n<span class="tk-comment">b */</span> '
                               '<span class="tk-keyword">int</span> x;')


class Search(unittest.TestCase):
    def test_forms_of_a_word_are_one(self):
        for words in (("coalesced", "coalescing", "coalesce"), ("dimension", "dimensions"), ("bank", "banks"),
                      ("shared", "share"), ("mapping", "mapped", "maps"), ("memories", "memory"),
                      ("unrolling", "unrolled")):
            self.assertEqual(len({site_search.stem(word) for word in words}), 1, words)
        for words in (("bus", "buy"), ("grid", "grip"), ("float4", "float")):
            self.assertEqual(len({site_search.stem(word) for word in words}), 2, words)

    def test_sections_begin_at_headings(self):
        parser = site_search.Sections()
        parser.feed('<h1>T</h1><p>one</p><nav>no</nav>'
                    '<h2 id="b">B<a class="heading-link" href="#b">#</a></h2><p>two</p>')
        found = [(heading, anchor, "".join(text).strip()) for heading, anchor, text in parser.sections]
        self.assertEqual(found, [("", "", ""), ("T", "", "one"), ("B", "b", "two")])


class Check(unittest.TestCase):
    HEAD = '<html lang="en"><head><title>t</title><meta name="description" content="d"></head>'

    def problems(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(self.HEAD + text, encoding="utf-8")
            return site_check.problems(pathlib.Path(folder))

    def test_a_whole_site(self):
        self.assertEqual(self.problems(a='<a href="b.html#x">b</a>', b='<p id="x">'), [])

    def test_what_is_wrong_is_told(self):
        for text, said in (('<a href="c.html">', "not there"), ('<a href="b.html#y">', "place"),
                           ('<p id="p"><p id="p">', "twice"), ('<img src="a.html">', "without words"),
                           ('<script src="https://x.org/a.js">', "elsewhere"), ("SITETOKEN1END", "token")):
            found = self.problems(a=text, b='<p id="x">')
            self.assertEqual(len(found), 1, found)
            self.assertIn(said, found[0])

    def test_contrast(self):
        self.assertAlmostEqual(site_check.contrast("#000000", "#ffffff"), 21)
        css = ("/* contrast: --a on --b */ x { /* theme: light */ --a: #777777; --b: #ffffff; }"
               "y { /* theme: dark */ --a: #ffffff; --b: #000000; }")
        found = site_check.poor_contrast(css)
        self.assertEqual(len(found), 1)
        self.assertIn("light: --a on --b has a contrast of 4.48", found[0])


class Book(unittest.TestCase):
    def test_a_page_within_the_book(self):
        part = site_pdf.as_part('<h2 id="x">X<a class="heading-link" href="#x">#</a></h2><a href="b.html#y">b</a>'
                                '<a href="source/c.html">c</a><a href="#x">d</a><details class="more">e</details>',
                                "a", {"a", "b"})
        self.assertEqual(part, '<section class="page" id="a"><h2 id="a--x">X</h2><a href="#b--y">b</a>c'
                               '<a href="#a--x">d</a><details open class="more">e</details></section>')

    def test_where_its_parts_stand(self):
        pdf = (b"%PDF\n1 0 obj\n<</Type /Catalog\n/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Kids [3 0 R 4 0 R]>>\nendobj\n"
               b"3 0 obj\n<<>>\nendobj\n4 0 obj\n<<>>\nendobj\n5 0 obj\n"
               b"<</a [3 0 R /XYZ 0 0 0]/b--x [4 0 R /XYZ 0 0 0]>>\nendobj")
        self.assertEqual(site_pdf.pages_by_name(pdf), {"a": 1, "b--x": 2})


class Glossary(unittest.TestCase):
    def test_what_a_term_means(self):
        found = site_glossary.terms(
            '<h2 id="the-terms">T</h2><h3 id="bank">bank<a class="heading-link" href="#bank">#</a></h3>'
            '<p >One of <a href="w.html">32</a> <code>b</code>. <a href="c.html">Chapter 08</a></p>'
            '<h3 id="lane">lane</h3><p>A thread.</p>')
        self.assertEqual(found, {"bank": ("bank", "One of 32 <code>b</code>."), "lane": ("lane", "A thread.")})


class Sources(unittest.TestCase):
    def test_pictures_for_two_themes(self):
        with tempfile.TemporaryDirectory() as folder:
            source, out = pathlib.Path(folder) / "s", pathlib.Path(folder) / "o"
            source.mkdir()
            (source / "p.svg").write_text("<svg>@media (prefers-color-scheme:dark){}</svg>", encoding="utf-8")
            light, dark = site_sources.Sources(source, out).picture("p.svg", source / "p.svg")
            self.assertIn("@media not all", (out / light).read_text(encoding="utf-8"))
            self.assertIn("@media all", (out / dark).read_text(encoding="utf-8"))

    def test_nothing_outside_of_the_repository(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "s"
            source.mkdir()
            self.assertIsNone(site_sources.Sources(source, source).url("../x"))

    def test_a_file_has_one_page_by_whatever_way_it_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            for name in ("chapters/01_a", "common"):
                (source / name).mkdir(parents=True)
            (source / "common/a.hpp").write_text("int a;\n", encoding="utf-8")
            sources = site_sources.Sources(source, source)
            self.assertEqual(sources.url("chapters/01_a/../../common/a.hpp"), "source/common/a.hpp.html")
            self.assertEqual(list(sources.wanted), ["common/a.hpp"])


if __name__ == "__main__":
    unittest.main()
