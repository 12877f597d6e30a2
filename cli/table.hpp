/// @file
/// Tables of text, their columns aligned.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course::tool {

enum class Align { left, right };

/// A table that is written line by line and laid out in the end.
class Table {
 public:
  struct Column {
    std::string header;  ///< may have several lines
    Align align;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row: a cell for each column. An empty cell stays empty.
  void add(std::vector<std::string> cells);

  /// The table: header, a rule, the rows, each ending in a line break. Two spaces between columns,
  /// one where the table would be wider than `width` otherwise. A table that is wider even then
  /// has its widest left-aligned column cut, with "~" as the last character of what was cut.
  std::string text(std::size_t width = 100) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a UTF-8 string takes on a screen, if none of its characters is a wide one.
std::size_t display_width(const std::string& text);

}  // namespace course::tool
