#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "grader/report/report.hpp"

namespace course::tool::grading {
namespace {

// No script and nothing from elsewhere; the policy forbids both, whatever a name or message holds.
constexpr char head[] = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
)html";

constexpr char style[] = R"html(<style>
:root {
  --text: #1c1e21; --soft: #5b6068; --page: #ffffff; --line: #d4d7dc; --band: #f4f5f7; --link: #0b57a4;
  --s0: #f6c9c2; --s1: #fbdcb8; --s2: #f8edb0; --s3: #dcefc0; --s4: #b5e2bf; --ours: #d9d3f2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e7e9; --soft: #a3a8b0; --page: #17181b; --line: #3a3d43; --band: #202226; --link: #8abfff;
    --s0: #6b2a24; --s1: #6a4318; --s2: #5c5312; --s3: #3d551f; --s4: #1f5a31; --ours: #473d78;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 96rem; color: var(--text); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
.soft { color: var(--soft); }
.wide { overflow-x: auto; margin: 1rem 0; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; min-width: 3.2rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { background: var(--band); border-bottom-width: 2px; }
tbody:last-child tr:last-child > * { border-bottom: 0; }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--page); font-weight: 600;
  max-width: 16rem; overflow: hidden; text-overflow: ellipsis; border-right: 1px solid var(--line); }
thead th:first-child, .sums th:first-child { background: var(--band); }
.sums td { background: var(--band); }
td a { color: inherit; display: block; text-decoration: none; }
td a:hover, td a:focus { text-decoration: underline; }
td.total { font-weight: 600; }
.s0 { background: var(--s0); } .s1 { background: var(--s1); } .s2 { background: var(--s2); }
.s3 { background: var(--s3); } .s4 { background: var(--s4); } .ours { background: var(--ours); }
.key span { padding: .1rem .5rem; border-radius: 3px; margin-right: .25rem; white-space: nowrap; }
ul { list-style: none; padding: 0; margin: .25rem 0; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
b.tag { display: inline-block; min-width: 4.2rem; padding: 0 .4rem; border-radius: 3px; text-align: center;
  font-weight: 600; font-size: .85rem; }
pre { margin: .25rem 0 .25rem 1rem; padding: .5rem .75rem; background: var(--band); border-radius: 4px;
  font: .85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
:target { outline: 2px solid var(--link); outline-offset: .4rem; border-radius: 2px; }
@media (max-width: 40rem) { th:first-child { max-width: 9rem; } }
</style>
</head>
<body>
)html";

/// The colour of a share of the points: none, some, half, most, all.
std::string shade(int hundredths, int of) {
  if (of <= 0) return "";
  if (hundredths >= 100 * of) return "s4";
  if (hundredths <= 0) return "s0";
  const double share = hundredths / (100.0 * of);
  return share < 0.4 ? "s1" : share < 0.7 ? "s2" : "s3";
}

std::string shade_of(const ExerciseMark& mark) {
  return mark.has_mark() ? shade(mark.mark(), mark.points().of) : "ours";
}

std::string shade_of(const Marks& marks) {
  return marks.has_mark() ? shade(marks.mark(), marks.points().of) : "ours";
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

double mean(const std::vector<int>& values) {
  if (values.empty()) return 0;
  return static_cast<double>(std::accumulate(values.begin(), values.end(), 0LL)) /
         static_cast<double>(values.size());
}

double median(std::vector<int> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

/// A name of a place in the page. Students go by their number: their names are not ours.
std::string place(std::size_t student, const std::string& exercise = "") {
  std::string text = "student-" + std::to_string(student + 1);
  if (exercise.empty()) return text;
  text += '-';
  for (const char c : exercise) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    text += plain ? c : '-';
  }
  return text;
}

/// What counts of all students in an exercise, or in total where there is none, in hundredths; of
/// those of whom it is known.
std::vector<int> marks_in(const std::vector<Marks>& marks, const std::string& exercise) {
  std::vector<int> found;
  for (const Marks& one : marks) {
    if (exercise.empty() && one.has_mark()) found.push_back(one.mark());
    for (const ExerciseMark& mark : one.exercises) {
      if (mark.id == exercise && mark.has_mark()) found.push_back(mark.mark());
    }
  }
  return found;
}

std::string row_of_sums(const std::vector<Marks>& marks, const std::string& name,
                        double (*sum)(const std::vector<int>&)) {
  const auto sum_of = [&](const std::vector<int>& points) {
    return points.empty() ? std::string("?") : number(sum(points) / 100);
  };
  std::string row = "<tr class=\"sums\"><th scope=\"row\">" + name + "</th><td>" +
                    sum_of(marks_in(marks, "")) + "</td>";
  for (const ExerciseMark& one : marks.front().exercises) {
    row += "<td>" + sum_of(marks_in(marks, one.id)) + "</td>";
  }
  return row + "</tr>\n";
}

std::string row_of_student(const Marks& marks, std::size_t k) {
  const std::string name = escaped(marks.submission);
  std::string row = "<tr><th scope=\"row\" title=\"" + name + "\"><a href=\"#" + place(k) + "\">" +
                    name + "</a></th><td class=\"total " + shade_of(marks) + "\">" +
                    points_text(marks) + "</td>";
  for (const ExerciseMark& one : marks.exercises) {
    row += "<td class=\"" + shade_of(one) + "\" title=\"" + escaped(one.state) + "\"><a href=\"#" +
           place(k, one.id) + "\">" + points_text(one) + "</a></td>";
  }
  return row + "</tr>\n";
}

std::string table(const std::vector<Marks>& marks) {
  const Marks& first = marks.front();
  std::string text =
      "<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">student</th>"
      "<th scope=\"col\">total</th>";
  for (const ExerciseMark& one : first.exercises) {
    text += "<th scope=\"col\" title=\"" + escaped(one.title) + "\">" + escaped(one.id) + "</th>";
  }
  text += "</tr>\n<tr><th scope=\"row\">of</th><th>" + std::to_string(first.points().of) + "</th>";
  for (const ExerciseMark& one : first.exercises) {
    text += "<th>" + std::to_string(one.points().of) + "</th>";
  }
  text += "</tr></thead>\n<tbody>\n";
  text += row_of_sums(marks, "mean", [](const std::vector<int>& values) { return mean(values); });
  text +=
      row_of_sums(marks, "median", [](const std::vector<int>& values) { return median(values); });
  text += "</tbody>\n<tbody>\n";
  for (std::size_t k = 0; k < marks.size(); ++k) text += row_of_student(marks[k], k);
  return text + "</tbody>\n</table>\n</div>\n";
}

std::string details_of(const ExerciseMark& mark, std::size_t student) {
  std::string text = "<h3 id=\"" + place(student, mark.id) + "\">" + escaped(mark.id) + ' ' +
                     escaped(mark.title) + ": " + points_text(mark) + " of " +
                     std::to_string(mark.points().of) + "</h3>\n";
  for (const std::string& line : {mark.settlement.handed_in, settlement_text(mark)}) {
    if (!line.empty()) text += "<p>" + escaped(line) + "</p>\n";
  }
  if (mark.state != "graded") {
    text += "<p><b class=\"tag " + shade_of(mark) + "\">" + escaped(mark.state) + "</b> " +
            escaped(mark.reason) + "</p>\n";
    std::string lines;
    for (const std::string& line : mark.details) lines += line + '\n';
    if (!lines.empty()) text += "<pre>" + escaped(lines) + "</pre>\n";
    return text;
  }
  text += "<ul>\n";
  for (const CaseMark& one : mark.cases) {
    text += "<li><b class=\"tag " + shade(100 * one.points.points, one.points.of) + "\">" +
            escaped(one.result) + "</b> " + std::to_string(one.points.points) + "/" +
            std::to_string(one.points.of) + ' ' + escaped(one.name);
    if (!one.message.empty() && one.result != "passed") {
      text += "<pre>" + escaped(one.message) + "</pre>";
    }
    text += "</li>\n";
  }
  return text + "</ul>\n";
}

std::string student(const Marks& marks, std::size_t k) {
  std::string text = "<section>\n<h2 id=\"" + place(k) + "\">" + escaped(marks.submission) + ": " +
                     points_text(marks) + " of " + std::to_string(marks.points().of) +
                     "</h2>\n<p class=\"soft\">graded " + escaped(marks.graded) +
                     " · <a href=\"#top\">to the table</a></p>\n";
  for (const ExerciseMark& one : marks.exercises) text += details_of(one, k);
  return text + "</section>\n";
}

}  // namespace

std::string to_html(const std::vector<Marks>& marks, const std::string& title) {
  std::string text = head;
  text += "<title>" + escaped(title) + "</title>\n" + style + "<h1 id=\"top\">" + escaped(title) +
          "</h1>\n";
  if (marks.empty()) return text + "<p>No submissions.</p>\n</body>\n</html>\n";
  const Marks& first = marks.front();
  text += "<p class=\"soft\">" + std::to_string(marks.size()) +
          (marks.size() == 1 ? " submission" : " submissions") + ", seed " +
          std::to_string(first.seed) + ", checks " + escaped(first.judge) + ", isolation " +
          escaped(first.isolation.level) + ".</p>\n";
  for (const std::string& what : first.isolation.not_enforced) {
    text += "<p>Not enforced: " + escaped(what) + ".</p>\n";
  }
  text +=
      "<p class=\"key\"><span class=\"s4\">all points</span><span class=\"s3\">most</span>"
      "<span class=\"s2\">half</span><span class=\"s1\">some</span><span class=\"s0\">none</span>"
      "<span class=\"ours\">? not graded</span> (which is not the student's fault)</p>\n";
  text += table(marks);
  for (std::size_t k = 0; k < marks.size(); ++k) text += student(marks[k], k);
  return text + "</body>\n</html>\n";
}

}  // namespace course::tool::grading
