#include "host/exercises/hints.hpp"

#include <algorithm>
#include <sstream>

namespace course::tool {
namespace {

void strip_blank_lines(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  text.erase(text.find_last_not_of('\n') + 1);
}

bool begins_item(const std::string& line) {
  const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t digits = std::min(line.find_first_not_of("0123456789", text), line.size());
  const std::string mark = line.substr(digits, 2);
  return digits == text ? mark == "- " || mark == "* " : mark == ". ";
}

}  // namespace

std::string with_whole_paragraphs(const std::string& text) {
  std::string whole;
  std::istringstream lines(text);
  bool is_fenced = false;
  bool goes_on = false;  // the line before is one of a paragraph
  for (std::string line; std::getline(lines, line);) {
    const bool is_fence = line.starts_with("```");
    const bool is_code =
        is_fenced || is_fence || line.starts_with('|') || (line.starts_with("    ") && !goes_on);
    if (is_fence) is_fenced = !is_fenced;
    const bool is_text = !line.empty() && !is_code;
    const bool joins = is_text && goes_on && !begins_item(line);
    if (joins) {
      whole += ' ' + line.substr(line.find_first_not_of(' '));
    } else {
      whole += (whole.empty() ? "" : "\n") + line;
    }
    goes_on = is_text;
  }
  return whole;
}

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
