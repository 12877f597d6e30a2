#include "line_map.hpp"

#include <algorithm>
#include <charconv>

namespace emulator {

LineMap::LineMap(std::string_view text, const std::vector<Directive>& directives) : text_(text) {
  for (std::size_t at = 0; at != std::string_view::npos;) {
    line_begins_.push_back(at);
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  for (const Directive& directive : directives) add_marker(directive);
}

Position LineMap::position(std::size_t offset) const {
  Position result;
  const std::size_t row = row_of(offset);
  const auto after = std::upper_bound(markers_.begin(), markers_.end(), offset,
                                      [](std::size_t at, const Marker& m) { return at < m.at; });
  if (after == markers_.begin()) {
    result.line = row + 1;
  } else {
    const Marker& marker = *(after - 1);
    result = marker.position;
    result.line += row - row_of(marker.at) - 1;
  }
  result.column = offset - line_begins_[row];
  return result;
}

std::size_t LineMap::row_of(std::size_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  return static_cast<std::size_t>(after - line_begins_.begin()) - 1;
}

// `# 12 "file.cu" 3 4`
void LineMap::add_marker(const Directive& directive) {
  std::string_view line = text_.substr(directive.begin, directive.end - directive.begin);
  line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
  Marker marker{directive.begin, {}};
  const auto [number_end, error] =
      std::from_chars(line.data(), line.data() + line.size(), marker.position.line);
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (error != std::errc() || open == close) return;
  marker.position.file = line.substr(open, close - open + 1);
  const std::string_view flags = line.substr(close + 1);
  marker.position.in_system_header = flags.find('3') != std::string_view::npos;
  marker.position.in_c_header = flags.find('4') != std::string_view::npos;
  markers_.push_back(marker);
}

}  // namespace emulator
