#include "skipped_tests.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace course::tool {
namespace {

/// Why a test was skipped, if a line of its output says so.
std::string_view reason_in(std::string_view line) {
  constexpr std::string_view word = "SKIPPED: ";
  constexpr std::string_view message = "MESSAGE: ";  // of doctest's, after the place
  const std::size_t found = line.find(word);
  if (found == std::string_view::npos) return {};
  const bool says_so = found == 0 || line.substr(0, found).ends_with(message);
  return says_so ? line.substr(found + word.size()) : std::string_view{};
}

}  // namespace

std::string skipped_tests(const std::string& log) {
  std::vector<std::pair<std::string, int>> reasons;  // with the number of tests, as they came
  std::istringstream lines(log);
  std::string of_this_test;
  bool is_output = false;  // of a test; ctest's own remarks come after it
  for (std::string line; std::getline(lines, line);) {
    if (line == "Output:") is_output = true;
    if (is_output && of_this_test.empty()) of_this_test = reason_in(line);
    if (line != "<end of output>") continue;
    is_output = false;
    if (of_this_test.empty()) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& one) { return one.first == of_this_test; });
    if (known == reasons.end()) {
      reasons.emplace_back(of_this_test, 1);
    } else {
      ++known->second;
    }
    of_this_test.clear();
  }

  int all = 0;
  std::string text;
  for (const auto& [reason, count] : reasons) {
    all += count;
    text += "; " + std::to_string(count) + ": " + reason;
  }
  if (all == 0) return "";
  return std::to_string(all) + (all == 1 ? " test was" : " tests were") + " left out" + text;
}

}  // namespace course::tool
