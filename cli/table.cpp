#include "table.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace course::tool {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  lines.push_back(text.substr(begin));
  return lines;
}

/// The byte at which the character in column `width` begins.
std::size_t byte_at(const std::string& text, std::size_t width) {
  std::size_t column = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool continues = (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80;
    if (!continues && column++ == width) return k;
  }
  return text.size();
}

std::string fit(std::string cell, std::size_t width, Align align) {
  if (display_width(cell) > width) cell = cell.substr(0, byte_at(cell, width - 1)) + '~';
  const std::string padding(width - display_width(cell), ' ');
  return align == Align::left ? cell + padding : padding + cell;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs a cell a column");
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t width) const {
  const std::size_t count = columns_.size();
  std::size_t header_lines = 1;
  std::vector<std::size_t> widths(count, 0);
  for (std::size_t c = 0; c < count; ++c) {
    const std::vector<std::string> lines = split_lines(columns_[c].header);
    header_lines = std::max(header_lines, lines.size());
    for (const std::string& line : lines) widths[c] = std::max(widths[c], display_width(line));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c]));
  }

  const auto sum = [&] { return std::accumulate(widths.begin(), widths.end(), std::size_t{0}); };
  const std::size_t gap = sum() + 2 * (count - 1) <= width ? 2 : 1;
  const std::size_t total = sum() + gap * (count - 1);
  if (total > width) {
    std::size_t widest = count;
    for (std::size_t c = 0; c < count; ++c) {
      if (columns_[c].align == Align::left && (widest == count || widths[c] > widths[widest])) {
        widest = c;
      }
    }
    // Something of it must stay to be of use.
    if (widest < count && widths[widest] > total - width + 4) widths[widest] -= total - width;
  }

  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t c = 0; c < count; ++c) {
      if (c > 0) line.append(gap, ' ');
      line += fit(cell_of(c), widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  for (std::size_t k = 0; k < header_lines; ++k) {
    add_line([&](std::size_t c) {
      // Short headers stand at the bottom, next to their column.
      const std::vector<std::string> lines = split_lines(columns_[c].header);
      const std::size_t skipped = header_lines - lines.size();
      return k < skipped ? std::string() : lines[k - skipped];
    });
  }
  add_line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : rows_) {
    add_line([&](std::size_t c) { return row[c]; });
  }
  return text;
}

}  // namespace course::tool
