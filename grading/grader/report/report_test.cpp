#include "grader/report/report.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;

namespace {

ExerciseMark mark_of(const std::string& id, int points, const std::string& message = "") {
  ExerciseMark mark;
  mark.id = id;
  mark.name = id + "_name";
  mark.title = "The title of " + id;
  mark.cases = {
      {"correct: all", points > 0 ? "passed" : "failed", {points > 0 ? 6 : 0, 6}, message},
      {"efficient: too", points > 6 ? "passed" : "failed", {points > 6 ? 4 : 0, 4}, message}};
  return mark;
}

Marks marks_of(const std::string& name, const std::vector<ExerciseMark>& exercises) {
  Marks marks;
  marks.submission = name;
  marks.graded = "2026-11-21T23:00:00Z";
  marks.seed = 5;
  marks.judge = "abc";
  marks.exercises = exercises;
  return marks;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// All bytes there are, and what closes an element in XML and HTML.
std::string nasty() {
  std::string text = "]]></failure></pre><script>alert(1)</script>&amp;\"'";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  return text + "\xED\xA0\x80\xEF\xBF\xBF\xF5\x80\x80\x80\xC0\x80\xC2\x85 \xC3";
}

/// Whether Python's parser, which is expat, takes it; nothing to say where there is no Python.
void check_xml(const std::string& text) {
  const TestFolder folder;
  const std::string command =
      "python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' '" +
      folder.write("file.xml", text).string() + "'";
  if (std::system("python3 -c '' >/dev/null 2>&1") != 0) {
    MESSAGE("not parsed: there is no python3");
    return;
  }
  CHECK(std::system(command.c_str()) == 0);
}

}  // namespace

TEST_CASE("what turns the direction of writing does not stand in the HTML") {
  for (const std::string turning : {"\u202E", "\u202A", "\u2066", "\u2069", "\u200F", "\u061C"}) {
    CHECK_FALSE(has(to_html({marks_of(turning, {})}, turning), turning));
  }
}

TEST_CASE("a person reads the criteria, the cases, and why they failed") {
  std::ostringstream out;
  std::ostringstream steps;
  Progress progress(steps, false);
  Marks marks = marks_of("anna", {mark_of("01a", 6, "got 1\nexpected 2"), mark_of("01b", 10)});
  marks.exercises.push_back(mark_of("02a", 0));
  marks.exercises[2].state = "does not compile";
  marks.exercises[2].reason = "x.cu:1: error";
  print_marks(marks, {out, out, progress, false});
  const std::string text = out.str();
  CHECK(has(text, "01a  The title of 01a: 6 of 10 points\n  correct 6/6, efficient 0/4\n"));
  CHECK(has(text, "   failed    0 of  4  efficient: too\n      got 1\n      expected 2\n"));
  CHECK(has(text, "02a  The title of 02a: 0 of 10 points\n  does not compile: x.cu:1: error\n"));
  CHECK(has(text, "anna: 16 of 30 points (seed 5)\n"));
  CHECK_FALSE(has(text, "Isolation"));
}

TEST_CASE("JUnit: a test case for each case, counted by what became of it") {
  Marks marks =
      marks_of("anna", {mark_of("01a", 6, "got 1"), mark_of("01b", 0), mark_of("02a", 0)});
  marks.exercises[1].state = "missing";
  marks.exercises[1].reason = "there is no b.cu";
  marks.exercises[2].state = "not graded";
  marks.exercises[0].cases.push_back({"safe: not here", "skipped", {0, 1}, "no GPU"});
  const std::string text = to_junit({marks});
  check_xml(text);
  CHECK(has(
      text,
      "<testsuites name=\"course grade\" tests=\"7\" failures=\"3\" errors=\"2\" skipped=\"1\">"));
  CHECK(has(text, "name=\"01a_name correct: all\"/>"));
  CHECK(has(text, "<failure message=\"got 1\">got 1</failure>"));
  CHECK(has(text, "<failure message=\"missing: there is no b.cu\">"));
  CHECK(has(text, "<error message=\"not graded\">"));
  CHECK(has(text, "<skipped message=\"no GPU\">"));
}

TEST_CASE("JUnit and HTML are well-formed whatever names and messages hold") {
  const Marks marks = marks_of(nasty(), {mark_of("01a", 0, nasty())});
  check_xml(to_junit({marks}));
  const std::string page = to_html({marks}, nasty());
  CHECK_FALSE(has(page, "<script"));
  CHECK(count(page, "</pre>") == 2);
  CHECK(count(page, "<body>") == 1);
  CHECK_FALSE(has(page, std::string("\0", 1)));
}

TEST_CASE("CSV: a row for each student, and no formula") {
  std::vector<Marks> marks{marks_of("anna", {mark_of("01a", 10), mark_of("01b", 6)}),
                           marks_of("=1+1", {mark_of("01a", 0), mark_of("01b", 0)}),
                           marks_of("a, \"b\"\nc", {mark_of("01a", 0), mark_of("01b", 0)})};
  marks[1].exercises[0].state = "refused";
  marks[1].exercises[0].reason = "uses fork(), which no solution needs";
  marks[1].exercises[1].state = "missing";
  CHECK(to_csv(marks) ==
        "student,01a,01b,total,of,remarks\n"
        "anna,10,6,16,20,\n"
        "\"'=1+1\",0,0,0,20,\"01a refused: uses fork(), which no solution needs; 01b missing\"\n"
        "\"a, \"\"b\"\" c\",0,0,0,20,\n");
  for (const std::string name : {"=x", "+x", "-x", "@x", " =x", "\t=x", "|x", "%x"}) {
    CAPTURE(name);
    const std::string text = to_csv({marks_of(name, {})});
    CHECK(has(text, "\n\"'"));
  }
  CHECK(has(to_csv({marks_of("a-b", {})}), "\na-b,"));
}

TEST_CASE("HTML: a table with mean and median, and details to which it leads") {
  std::vector<Marks> marks{
      marks_of("anna", {mark_of("01a", 10)}), marks_of("ben", {mark_of("01a", 6, "got 1")}),
      marks_of("cleo", {mark_of("01a", 0)}), marks_of("dora", {mark_of("01a", 0)})};
  marks[3].exercises[0].state = "not graded";
  const std::string page = to_html(marks, "a class");
  CHECK(has(page, "<h1 id=\"top\">a class</h1>"));
  // Of those that are graded: 10, 6 and 0.
  CHECK(has(page, "mean</th><td>5.3</td><td>5.3</td>"));
  CHECK(has(page, "median</th><td>6.0</td><td>6.0</td>"));
  CHECK(has(page, "dora</a></th><td class=\"total ours\">?</td>"));
  CHECK(has(page, "<td class=\"s2\" title=\"graded\"><a href=\"#student-2-01a\">6</a></td>"));
  CHECK(has(page, "<h3 id=\"student-2-01a\">"));
  CHECK(has(page, "<td class=\"ours\" title=\"not graded\"><a href=\"#student-4-01a\">?</a>"));
  CHECK(has(page, "<pre>got 1</pre>"));
  for (const char* const request : {"http:", "https:", "src=", "url(", "@import", "<link"}) {
    CHECK_FALSE(has(page, request));
  }
  CHECK(has(to_html({}, "none"), "No submissions."));
}

TEST_CASE("what is not graded has no points in any report, rather than none reached") {
  Marks marks = marks_of("anna", {mark_of("01a", 10), mark_of("01b", 0)});
  marks.exercises[1].state = "not graded";
  marks.exercises[1].reason = "no space";
  for (CaseMark& one : marks.exercises[1].cases) one.result = "not run";
  std::ostringstream out;
  Progress progress(out, false);
  print_marks(marks, {out, out, progress, false});
  CHECK(has(out.str(), "01b  The title of 01b: ? of 10 points\n  not graded: no space\n\n"));
  CHECK(has(out.str(), "anna: ? of 20 points"));
  CHECK(to_csv({marks}) ==
        "student,01a,01b,total,of,remarks\nanna,10,?,?,20,\"01b not graded: no space\"\n");
  CHECK(has(to_json(marks), "\"points\": null"));
  CHECK(count(to_json(marks), "\"points\": null") == 2);  // 01b's, and the total
  CHECK(marks_from_json(to_json(marks)).value().has_failure_of_ours());
  CHECK(count(to_junit({marks}), "<error message=\"not graded: no space\">") == 2);
  const std::string page = to_html({marks}, "a class");
  CHECK(has(page, "mean</th><td>?</td><td>10.0</td><td>?</td>"));
  CHECK(has(page, "01b The title of 01b: ? of 10</h3>"));
}

TEST_CASE("names are one line, in UTF-8, and no two of them are alike") {
  CHECK(shown_name("J\xC3\xBCrgen O'Neill <j@x.de> | 3") == "J\xC3\xBCrgen O'Neill <j@x.de> | 3");
  CHECK(shown_name("a\nb\tc\\nd") == "a\\nb\\tc\\\\nd");
  CHECK(shown_name("\x1B[31m\xFF\xC3") == "\\x1B[31m\\xFF\\xC3");
  CHECK(shown_name(" a  b ") == "\\x20a \\x20b\\x20");
  CHECK(shown_name("\xE2\x80\xAEnna\xE2\x80\xA8\xC2\xA0") == "\\u202Enna\\u2028\\u00A0");
  CHECK(shown_name("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");
  std::vector<Marks> marks;
  for (const std::string name :
       {"a b", "a\nb", "a\tb", "a\\nb", "a\rb",
        "a\x01"
        "b",
        "\xFF", "\xFE", "=1", "'=1", "''=1", "a ", " a", "a", "x|y", "<x>", "\"x\""}) {
    marks.push_back(marks_of(shown_name(name), {mark_of("01a", 0)}));
  }
  std::istringstream table(to_csv(marks));
  std::set<std::string> rows;
  for (std::string row; std::getline(table, row);) CHECK(rows.insert(row).second);
  CHECK(rows.size() == marks.size() + 1);
  const std::string page = to_html(marks, "a class");
  CHECK(count(page, "<tr><th scope=\"row\" title=") == marks.size());
  check_xml(to_junit(marks));
}

TEST_CASE("remarks tell what is not ordinary") {
  Marks marks = marks_of("anna", {mark_of("01a", 10), mark_of("01b", 0)});
  CHECK(remarks(marks).empty());
  marks.exercises[1].state = "missing";
  marks.isolation.level = "none";
  CHECK(remarks(marks) == "01b missing; not isolated");
}
