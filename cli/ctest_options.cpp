#include "ctest_options.hpp"

#include <algorithm>
#include <sstream>

namespace course::tool {
namespace {

/// The options that a help names at the beginning of its lines: "  -R <regex>, --tests-regex
/// <regex>      = Run tests ...", or without the sign of equality, as newer ones have it.
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word.starts_with('-')) {
        names.push_back(word.substr(0, word.find_first_of("=[")));
      } else if (!word.starts_with('<') && !word.ends_with('>') && !word.starts_with('[')) {
        break;  // what it means
      }
    }
  }
  return names;
}

}  // namespace

bool selects_tests(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& word) {
    for (const char* const start :
         {"-L", "-R", "-E", "-I", "--label-", "--tests-", "--exclude-regex", "--rerun-failed",
          "--test-dir", "--show-only", "--print-labels"}) {
      if (word.starts_with(start)) return true;
    }
    return false;
  });
}

std::string unknown_option(const std::vector<std::string>& options, const std::string& help) {
  const std::vector<std::string> known = options_in(help);
  const auto knows = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  if (!knows("--output-on-failure")) return "";  // it is no help of ctest's
  for (const std::string& word : options) {
    if (!word.starts_with("--") || word == "--") continue;
    const std::string name = word.substr(0, word.find('='));
    if (!knows(name)) return name;
  }
  return "";
}

}  // namespace course::tool
