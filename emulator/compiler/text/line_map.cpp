#include "compiler/text/line_map.hpp"

#include <algorithm>
#include <charconv>

namespace emulator::compiler::text {

std::optional<LineMarker> read_marker(std::string_view line) {
  if (line.substr(0, 1) != "#") return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
  LineMarker marker;
  Position& position = marker.position;
  const auto [number_end, error] =
      std::from_chars(line.data(), line.data() + line.size(), position.line);
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (error != std::errc() || open == close) return std::nullopt;
  position.file = line.substr(open, close - open + 1);
  const std::string_view flags = line.substr(close + 1);
  marker.begins_file = flags.find('1') != std::string_view::npos;
  position.in_system_header = flags.find('3') != std::string_view::npos;
  position.in_c_header = flags.find('4') != std::string_view::npos;
  return marker;
}

std::string marker_for(const Position& position, bool generated) {
  std::string marker;
  if (position.file.empty()) return marker;
  marker.append("\n# ").append(std::to_string(position.line)).append(1, ' ');
  marker += position.file;
  if (generated || position.in_system_header) marker += " 3";
  if (position.in_c_header) marker += " 4";
  // A macro can make a line of any length; nobody looks for its 1000th column.
  constexpr std::size_t most_blanks = 1000;
  const std::size_t blanks = position.column > most_blanks ? 0 : position.column;
  return marker.append(1, '\n').append(blanks, ' ');
}

LineMap::LineMap(std::string_view text, const std::vector<Directive>& directives) : text_(text) {
  for (std::size_t at = 0; at != std::string_view::npos;) {
    line_begins_.push_back(at);
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  for (const Directive& directive : directives) {
    const auto line = text.substr(directive.begin, directive.end - directive.begin);
    if (const auto marker = read_marker(line))
      markers_.push_back({directive.begin, marker->position});
  }
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

}  // namespace emulator::compiler::text
