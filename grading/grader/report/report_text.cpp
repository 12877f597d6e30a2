#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>
#include <string_view>

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

/// How many bytes of UTF-8 begin at `k`; 0 if they are none.
std::size_t utf8_length(const std::string& text, std::size_t k) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto is_more = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
  const unsigned first = byte(k);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return is_more(k + 1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    if (!is_more(k + 1) || !is_more(k + 2)) return 0;
    if (first == 0xE0 && byte(k + 1) < 0xA0) return 0;   // longer than need be
    if (first == 0xED && byte(k + 1) >= 0xA0) return 0;  // half of a pair
    // U+FFFE and U+FFFF are no characters, which XML minds.
    if (first == 0xEF && byte(k + 1) == 0xBF && byte(k + 2) >= 0xBE) return 0;
    return 3;
  }
  if (first >= 0xF0 && first < 0xF5) {
    if (!is_more(k + 1) || !is_more(k + 2) || !is_more(k + 3)) return 0;
    if (first == 0xF0 && byte(k + 1) < 0x90) return 0;
    if (first == 0xF4 && byte(k + 1) >= 0x90) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

bool is_bidirectional(std::string_view character) {
  if (character == "\xD8\x9C") return true;
  if (character.size() != 3 || character[0] != '\xE2') return false;
  const auto middle = static_cast<unsigned char>(character[1]);
  const auto last = static_cast<unsigned char>(character[2]);
  if (middle == 0x80) return last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE);
  return middle == 0x81 && last >= 0xA6 && last <= 0xA9;
}

std::string clean_utf8(const std::string& text) {
  std::string clean;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t length = utf8_length(text, k);
    const auto byte = static_cast<unsigned char>(text[k]);
    const bool is_control =
        length == 1 && byte != '\n' && byte != '\t' && (byte < 0x20 || byte == 0x7F);
    // The second half of the control characters: C2 80 to C2 9F.
    const bool is_late_control =
        length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[k + 1]) < 0xA0;
    if (length == 0 || is_control || is_late_control ||
        is_bidirectional(std::string_view(text).substr(k, length))) {
      if (byte != '\r') clean += "\xEF\xBF\xBD";
    } else {
      clean += text.substr(k, length);
    }
    k += length == 0 ? 1 : length;
  }
  return clean;
}

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

std::string points_text(const ExerciseMark& mark) {
  return mark.is_graded() ? std::to_string(mark.points().points) : "?";
}

std::string points_text(const Marks& marks) {
  return marks.has_failure_of_ours() ? "?" : std::to_string(marks.points().points);
}

std::string remarks(const Marks& marks) {
  std::string text;
  for (const ExerciseMark& one : marks.exercises) {
    if (one.state == "graded") continue;
    text += (text.empty() ? "" : "; ") + one.id + ' ' + one.state;
    if (one.state == "refused" || one.state == "not graded") text += ": " + one.reason;
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
