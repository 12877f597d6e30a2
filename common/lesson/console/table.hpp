/// @file
/// Tables of text, their columns aligned. Does not depend on CUDA, like terminal.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "console/terminal.hpp"

namespace course {

enum class Align { left, right };

/// A table that is written line by line and laid out at the end.
class Table {
 public:
  struct Column {
    std::string header;  ///< may have several lines
    Align align = Align::left;
    /// The column with the highest rank is omitted first if there is not enough room; 0: never.
    int rank = 0;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row: one cell per column. An empty cell stays empty.
  void add(std::vector<std::string> cells);

  /// The table: header, a rule, the rows, each ending in a line break. Two spaces between columns,
  /// or one if the table would otherwise be wider than `width` (or 100). If even that is too wide,
  /// the widest left-aligned column is broken between words, as long as some of them fit in a line;
  /// then columns are omitted, and a last line names them. If there is no room even for single
  /// words, the rows are text: their cells with commas between them.
  std::string text(std::size_t width = any_width) const;

  /// Whether a column, counted from 0, fits in this many columns of the screen.
  bool shows(std::size_t column, std::size_t width) const;

 private:
  struct Layout;
  Layout fitted(std::size_t width) const;
  std::string running_text(const Layout& layout, std::size_t width) const;
  std::string left_out(const Layout& layout, std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace course

#include "console/table.inl"
