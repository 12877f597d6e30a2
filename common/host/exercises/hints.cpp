#include "host/exercises/hints.hpp"

#include <algorithm>
#include <sstream>

namespace course::tool {
namespace {

void strip_blank_lines(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  text.erase(text.find_last_not_of('\n') + 1);
}

}  // namespace

std::vector<Hint> parse_hints(const std::string& text) {
  std::vector<Hint> hints;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::string heading = "## " + std::to_string(hints.size() + 1);
    const bool begins = line.starts_with(heading) &&
                        (line.size() == heading.size() ||
                         std::string(".: ").find(line[heading.size()]) != std::string::npos);
    if (begins) {
      const std::size_t title = line.find_first_not_of(".: ", heading.size());
      hints.push_back({title == std::string::npos ? "" : line.substr(title), ""});
    } else if (!hints.empty()) {
      hints.back().text += line + '\n';
    }
  }
  for (Hint& hint : hints) strip_blank_lines(hint.text);
  return hints;
}

}  // namespace course::tool
