#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/lexer.hpp"

/// \file
/// Where preprocessed text stems from, as its line markers tell.

namespace emulator::compiler::text {

/// A place in an original file.
struct Position {
  std::string_view file;  ///< in quotes, as in a line marker; empty if there is no line marker
  std::size_t line = 1;
  std::size_t column = 0;  ///< counted from 0, in bytes
  bool in_system_header = false;
  bool in_c_header = false;  ///< one that the preprocessor wraps in extern "C"
};

/// A line marker, `# 12 "file.cu" 1 3 4`: what the next line is.
struct LineMarker {
  Position position;
  bool begins_file = false;
};

/// What that line says, if it is a line marker.
std::optional<LineMarker> read_marker(std::string_view line);

/// Calls `function(marker, begin)` for each line marker of a preprocessed text, with the place
/// where its line begins, until that returns true. Returns whether it did.
template <class Function>
bool any_marker(std::string_view preprocessed, Function function) {
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::string_view line =
        preprocessed.substr(begin, preprocessed.find('\n', begin) - begin);
    const std::optional<LineMarker> marker = read_marker(line);
    if (marker && function(*marker, begin)) return true;
    begin += line.size() + 1;
  }
  return false;
}

/// A file's name without its quotes.
inline std::string_view unquoted(std::string_view file) {
  return file.size() < 2 ? file : file.substr(1, file.size() - 2);
}

/// A line marker for a place, and blanks up to its column. Empty if the place has no file.
/// \param generated it poses as a system header's, for whose code g++ has no warnings
std::string marker_for(const Position& position, bool generated = false);

/// Finds the place in the original files that a place in the preprocessed text stems from.
class LineMap {
 public:
  LineMap(std::string_view text, const std::vector<Directive>& directives);

  Position position(std::size_t offset) const;

 private:
  struct Marker {
    std::size_t at;
    Position position;  // of the next line
  };

  std::size_t row_of(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> line_begins_;
  std::vector<Marker> markers_;
};

}  // namespace emulator::compiler::text
