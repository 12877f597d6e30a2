#include "help.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "grader/options.hpp"
#include "host/errors.hpp"

using namespace course::tool;

namespace {

using Words = std::vector<std::string>;

const Words commands{"tour", "run",          "traffic",   "picture",  "emucc", "check", "watch",
                     "hint", "reset",        "solution",  "grade",    "list",  "test",  "measure",
                     "docs", "new-exercise", "notebooks", "cutensor", "doctor"};

Words lines_of(const std::string& topic) {
  Words lines;
  std::istringstream text{std::string(help_text(topic))};
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The options that are at the start of lines below "Options".
Words documented_options(const std::string& topic) {
  Words found;
  bool inside = false;
  const std::regex option("--[a-z-]+");
  for (const std::string& line : lines_of(topic)) {
    if (line.empty()) inside = false;
    if (inside && line.starts_with("  -")) {
      // Two of them may share a line: "--from A, --to B".
      const std::string names = line.substr(0, line.find("  ", 2));
      for (std::sregex_iterator at(names.begin(), names.end(), option), end; at != end; ++at) {
        found.push_back(at->str());
      }
    }
    inside = inside || line == "Options";
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("each command has a help of its own, which fits a small terminal") {
  for (const std::string& command : commands) {
    CAPTURE(command);
    const Words lines = lines_of(command);
    CHECK(lines.size() <= 30);
    CHECK((lines[0] + ' ').starts_with("./course " + command + ' '));
    CHECK(parse_command_line({command, "--help"}).topic == command);
    CHECK(parse_command_line({"help", command}).topic == command);
  }
  CHECK(lines_of("").size() <= 40);
  CHECK(lines_of("environment").size() <= 40);
  CHECK(help_texts().size() == commands.size() + 2);
  for (const HelpText& one : help_texts()) {
    for (const std::string& line : lines_of(std::string(one.topic))) CHECK(line.size() <= 80);
  }
}

TEST_CASE("the overview names each command") {
  const Words lines = lines_of("");
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return (line + ' ').starts_with("  " + command + ' ');
    }));
  }
}

TEST_CASE("the options that a command reads are those that its help explains") {
  for (const std::string& command : commands) {
    if (command == "notebooks") continue;  // its options are those of tools/pages
    CAPTURE(command);
    const Words read = command == "grade" ? grading::grade_options() : options_of(command);
    CHECK(documented_options(command) == read);
  }
}

TEST_CASE("what there is no help on is told in a line") {
  CHECK_THROWS_WITH_AS(help_text("tuor"),
                       "there is no help on 'tuor' (./course --help names the commands)", Failure);
}
