#include <array>
#include <cstdio>

#include "grader/report/report.hpp"

namespace course::tool::grading {
namespace {

/// Line breaks in attributes are lost but for this.
std::string attribute(const std::string& text) {
  std::string result;
  for (const char c : escaped(text)) {
    if (c == '\n') {
      result += "&#10;";
    } else if (c == '\t') {
      result += "&#9;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string seconds_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", seconds);
  return text.data();
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  std::string attributes() const {
    return "tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
           "\" errors=\"" + std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) +
           '"';
  }
};

/// What is in a test case that did not pass: its element, and whose fault it is.
std::string outcome_of(const ExerciseMark& exercise, const CaseMark& mark, Counts& counts) {
  std::string message = mark.message;
  if (exercise.state != "graded") {
    message = exercise.state + (exercise.reason.empty() ? "" : ": " + exercise.reason);
    for (const std::string& line : exercise.details) message += '\n' + line;
  }
  const std::string content =
      " message=\"" + attribute(first_line(message)) + "\">" + escaped(message) + "</";
  if (exercise.state == "not graded") {
    ++counts.errors;
    return "<error" + content + "error>";
  }
  if (mark.result == "skipped") {
    ++counts.skipped;
    return "<skipped" + content + "skipped>";
  }
  ++counts.failures;
  return "<failure" + content + "failure>";
}

std::string suite_of(const Marks& marks, const ExerciseMark& exercise, Counts& all) {
  Counts counts;
  std::string cases;
  for (const CaseMark& one : exercise.cases) {
    ++counts.tests;
    cases += "    <testcase classname=\"" + attribute(marks.submission) + "\" name=\"" +
             attribute(exercise.name + ' ' + one.name) + '"';
    if (exercise.state == "graded" && one.result == "passed") {
      cases += "/>\n";
    } else {
      cases += ">" + outcome_of(exercise, one, counts) + "</testcase>\n";
    }
  }
  all.tests += counts.tests;
  all.failures += counts.failures;
  all.errors += counts.errors;
  all.skipped += counts.skipped;
  return "  <testsuite name=\"" + attribute(marks.submission + ' ' + exercise.name) + "\" " +
         counts.attributes() + " time=\"" + seconds_text(exercise.seconds) + "\" timestamp=\"" +
         attribute(marks.graded) + "\">\n" + cases + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(const std::vector<Marks>& marks) {
  Counts all;
  std::string suites;
  for (const Marks& one : marks) {
    for (const ExerciseMark& exercise : one.exercises) suites += suite_of(one, exercise, all);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"course grade\" " +
         all.attributes() + ">\n" + suites + "</testsuites>\n";
}

}  // namespace course::tool::grading
