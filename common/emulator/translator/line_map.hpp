#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lexer.hpp"

/// \file
/// Where preprocessed text stems from, as its line markers tell.

namespace emulator {

/// A place in an original file.
struct Position {
  std::string_view file;  ///< in quotes, as in a line marker; empty if there is no line marker
  std::size_t line = 1;
  std::size_t column = 0;  ///< counted from 0, in bytes
  bool in_system_header = false;
  bool in_c_header = false;  ///< one that the preprocessor wraps in extern "C"
};

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
  void add_marker(const Directive& directive);

  std::string_view text_;
  std::vector<std::size_t> line_begins_;
  std::vector<Marker> markers_;
};

}  // namespace emulator
