// The functions of table.hpp.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "console/table.hpp"

namespace course {
namespace detail {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  lines.push_back(text.substr(begin));
  return lines;
}

inline std::size_t widest_word(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& word : lines_of(wrapped(text, 1))) {
    widest = std::max(widest, display_width(word));
  }
  return widest;
}

inline std::string aligned(const std::string& cell, std::size_t width, Align align) {
  const std::string padding(width - std::min(width, display_width(cell)), ' ');
  return align == Align::left ? cell + padding : padding + cell;
}

/// A header on one line: "load sectors", "sectors/request".
inline std::string on_one_line(const std::string& header) {
  std::string line;
  for (const char c : header) {
    if (c != '\n') {
      line += c;
    } else if (!line.ends_with('/')) {
      line += ' ';
    }
  }
  return line;
}

}  // namespace detail

/// Which columns are shown, and how wide.
struct Table::Layout {
  std::vector<std::size_t> shown;    // indices of columns
  std::vector<std::size_t> widths;   // of all columns
  std::vector<std::size_t> missing;  // indices of columns, in their order
  std::size_t gap = 2;
  bool is_too_wide = false;

  std::size_t total(std::size_t between) const {
    std::size_t sum = between * (shown.size() - 1);
    for (const std::size_t c : shown) sum += widths[c];
    return sum;
  }
};

inline void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs a cell a column");
  rows_.push_back(std::move(cells));
}

inline Table::Layout Table::fitted(std::size_t width) const {
  Layout layout;
  layout.widths.assign(columns_.size(), 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    layout.shown.push_back(c);
    std::size_t& own = layout.widths[c];
    for (const auto& line : detail::lines_of(columns_[c].header)) {
      own = std::max(own, display_width(line));
    }
    for (const auto& row : rows_) own = std::max(own, display_width(row[c]));
  }
  constexpr std::size_t usual = 100;
  layout.gap = layout.total(2) <= (width == any_width ? usual : width) ? 2 : 1;
  if (width == any_width) return layout;
  // Makes the widest left-aligned column as narrow as necessary, if `fewest` or more remain.
  const auto narrow = [&](std::size_t fewest) {
    std::size_t widest = columns_.size();
    for (const std::size_t c : layout.shown) {
      const bool wider = widest == columns_.size() || layout.widths[c] > layout.widths[widest];
      if (columns_[c].align == Align::left && wider) widest = c;
    }
    if (widest == columns_.size()) return false;
    std::size_t least = std::max(display_width(columns_[widest].header), fewest);
    for (const auto& row : rows_) least = std::max(least, detail::widest_word(row[widest]));
    const std::size_t excess = layout.total(layout.gap) - width;
    if (layout.widths[widest] < least + excess) return false;
    layout.widths[widest] -= excess;
    return true;
  };
  constexpr std::size_t few_words = 24;  // names are not broken, nor titles into single words
  while (layout.total(layout.gap) > width && !narrow(few_words)) {
    const auto first = std::max_element(
        layout.shown.begin(), layout.shown.end(),
        [&](std::size_t a, std::size_t b) { return columns_[a].rank < columns_[b].rank; });
    if (columns_[*first].rank == 0) break;
    layout.missing.push_back(*first);
    layout.shown.erase(first);
    if (layout.total(2) <= width) layout.gap = 2;
  }
  // If nothing more can be omitted, a title may be broken into single words.
  layout.is_too_wide = layout.total(layout.gap) > width && !narrow(1);
  std::sort(layout.missing.begin(), layout.missing.end());
  return layout;
}

inline bool Table::shows(std::size_t column, std::size_t width) const {
  const std::vector<std::size_t> missing = fitted(width).missing;
  return std::find(missing.begin(), missing.end(), column) == missing.end();
}

inline std::string Table::left_out(const Layout& layout, std::size_t width) const {
  if (layout.missing.empty()) return "";
  std::string names;
  for (const std::size_t c : layout.missing) {
    names += (names.empty() ? "" : ", ") + detail::on_one_line(columns_[c].header);
  }
  return wrapped("(not shown in " + std::to_string(width) + " columns: " + names + ")\n", width, 1);
}

/// The rows without columns: each the text of its cells.
inline std::string Table::running_text(const Layout& layout, std::size_t width) const {
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (const std::size_t c : layout.shown) {
      if (!row[c].empty()) line += (line.empty() ? "" : ", ") + row[c];
    }
    text += wrapped(line, width, 2) + '\n';
  }
  return text + left_out(layout, width);
}

inline std::string Table::text(std::size_t width) const {
  const Layout layout = fitted(width);
  if (layout.is_too_wide) return running_text(layout, width);
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (const std::size_t c : layout.shown) {
      if (c != layout.shown.front()) line.append(layout.gap, ' ');
      line += detail::aligned(cell_of(c), layout.widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  std::size_t header_lines = 1;
  for (const std::size_t c : layout.shown) {
    header_lines = std::max(header_lines, detail::lines_of(columns_[c].header).size());
  }
  for (std::size_t k = 0; k < header_lines; ++k) {
    add_line([&](std::size_t c) {
      // Short headers are at the bottom, next to their column.
      const std::vector<std::string> lines = detail::lines_of(columns_[c].header);
      const std::size_t skipped = header_lines - lines.size();
      return k < skipped ? std::string() : lines[k - skipped];
    });
  }
  add_line([&](std::size_t c) { return std::string(layout.widths[c], '-'); });
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> cells(columns_.size());
    std::size_t height = 1;
    for (const std::size_t c : layout.shown) {
      cells[c] = detail::lines_of(wrapped(row[c], layout.widths[c]));
      height = std::max(height, cells[c].size());
    }
    for (std::size_t k = 0; k < height; ++k) {
      add_line([&](std::size_t c) { return k < cells[c].size() ? cells[c][k] : std::string(); });
    }
  }
  return text + left_out(layout, width);
}

}  // namespace course
