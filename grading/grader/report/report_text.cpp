#include <algorithm>
#include <sstream>

#include "grader/report/report.hpp"

namespace course::tool::grading {
namespace {

void print_indented(const std::string& text, const std::string& indent, const Screen& screen) {
  std::istringstream lines(clean_utf8(text));
  for (std::string line; std::getline(lines, line);) {
    screen.out << (line.empty() ? "" : indent) << line << '\n';
  }
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

void print_case(const CaseMark& mark, const Screen& screen) {
  std::string word = padded(mark.result, 7);
  if (mark.result == "passed") word = screen.green(word);
  if (mark.result == "failed") word = screen.red(word);
  if (mark.result == "skipped") word = screen.yellow(word);
  screen.out << "  " << word << "  " << padded(std::to_string(mark.points.points), 3) << " of "
             << padded(std::to_string(mark.points.of), 2) << "  " << mark.name << '\n';
  if (mark.result != "passed") print_indented(mark.message, "      ", screen);
}

void print_exercise(const ExerciseMark& mark, const Screen& screen) {
  screen.out << screen.bold(mark.id + "  " + mark.title) << ": " << points_text(mark) << " of "
             << mark.points().of << " points\n";
  if (mark.state != "graded") {
    screen.out << "  "
               << (mark.state == "not graded" ? screen.yellow(mark.state) : screen.red(mark.state));
    if (!mark.reason.empty()) screen.out << ": " << clean_utf8(mark.reason);
    screen.out << '\n';
    for (const std::string& line : mark.details) print_indented(line, "    ", screen);
    // Cases may have been judged before something failed.
    const bool none_judged = std::all_of(mark.cases.begin(), mark.cases.end(),
                                         [](const CaseMark& one) { return !one.was_run(); });
    if (none_judged) return;
  } else {
    const char* before = "  ";
    for (const auto& [name, part] : mark.criteria()) {
      screen.out << before << name << ' ' << part.points << '/' << part.of;
      before = ", ";
    }
    screen.out << '\n';
  }
  for (const CaseMark& one : mark.cases) print_case(one, screen);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string decimal(int hundredths) {
  std::string text = std::to_string(hundredths / 100);
  const int rest = hundredths % 100;
  if (rest != 0) text += '.' + std::to_string(rest / 10);
  if (rest % 10 != 0) text += std::to_string(rest % 10);
  return text;
}

std::string points_text(const ExerciseMark& mark) {
  return mark.has_mark() ? decimal(mark.mark()) : "?";
}

std::string points_text(const Marks& marks) {
  return marks.has_mark() ? decimal(marks.mark()) : "?";
}

std::string settlement_text(const ExerciseMark& mark) {
  const Settlement& settlement = mark.settlement;
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  const bool changes = settlement.by_hand || settlement.percent_off != 0;
  if (changes) {
    add(mark.is_graded() ? std::to_string(mark.points().points) + " points of the checks"
                         : "not graded");
  }
  if (!settlement.lateness.empty()) add(settlement.lateness);
  if (settlement.by_hand) {
    add("marked by hand: " + decimal(*settlement.by_hand));
  } else if (changes && mark.is_graded()) {
    add("makes " + decimal(mark.mark()));
  }
  if (!settlement.comment.empty()) text += (text.empty() ? "" : ": ") + settlement.comment;
  return clean_utf8(text);
}

std::string remarks(const Marks& marks) {
  std::string text;
  for (const ExerciseMark& one : marks.exercises) {
    const std::string settled = settlement_text(one);
    if (one.state == "graded" && settled.empty()) continue;
    text += (text.empty() ? "" : "; ") + one.id;
    if (one.state != "graded") text += ' ' + one.state;
    if (one.state == "refused" || one.state == "not graded") text += ": " + one.reason;
    if (!settled.empty()) text += ": " + settled;
  }
  if (marks.isolation.level != "full") {
    text += (text.empty() ? "" : "; ") + std::string("not isolated");
  }
  return clean_utf8(text);
}

void print_marks(const Marks& marks, const Screen& screen) {
  for (const ExerciseMark& one : marks.exercises) {
    print_exercise(one, screen);
    screen.out << '\n';
  }
  if (marks.isolation.level != "full") {
    screen.out << screen.yellow("Isolation: " + marks.isolation.level) << ". Not enforced:\n";
    for (const std::string& what : marks.isolation.not_enforced) screen.out << "  " << what << '\n';
    screen.out << '\n';
  }
  screen.out << screen.bold(clean_utf8(marks.submission)) << ": "
             << screen.bold(points_text(marks) + " of " + std::to_string(marks.points().of) +
                            " points")
             << " (seed " << marks.seed << ")\n"
             << std::flush;
}

}  // namespace course::tool::grading
