/// @file
/// How wide the screen is, and lines that are broken to fit it.
///
/// On a terminal a table may omit columns and a sentence takes several lines. A pipe or a file has
/// room for everything, and its output is the same on every machine, unless COLUMNS gives the width
/// of the lines. Does not depend on CUDA: the program behind ./course also uses it.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace course {

/// Stands for a line that may have any length.
inline constexpr std::size_t any_width = 0;

/// Columns of a line of standard output (1) or standard error (2).
inline std::size_t line_width(int descriptor = 1) {
  constexpr long fewest = 20;  // with fewer, no table makes sense
  if (const char* const asked = std::getenv("COLUMNS")) {
    char* end = nullptr;
    const long columns = std::strtol(asked, &end, 10);
    if (*asked != '\0' && *end == '\0' && columns >= fewest && columns < 100000) {
      return static_cast<std::size_t>(columns);
    }
  }
  if (isatty(descriptor) != 1) return any_width;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= fewest) return size.ws_col;
  return 80;
}

/// Columns that a UTF-8 text takes on a screen, if none of its characters is a wide one. Codes that
/// set a colour (ESC [ ... m) take none.
inline std::size_t display_width(const std::string& text) {
  std::size_t columns = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\033') {
      k = std::min(text.find('m', k), text.size());
    } else if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

/// The text with its lines broken between words, so that none is wider than `width`, unless a
/// single word is. Continuation lines begin with `hanging` spaces.
inline std::string wrapped(const std::string& text, std::size_t width, std::size_t hanging = 0) {
  if (width == any_width) return text;
  const std::string indent(std::min(hanging, width / 2), ' ');
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    for (std::string rest; display_width(line) > width; line = indent + rest) {
      // The last gap before which something still fits; else the first gap.
      const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
      std::size_t gap = line.find(' ', first);
      for (std::size_t next = gap;
           next != std::string::npos && display_width(line.substr(0, next)) <= width;
           next = line.find(' ', next + 1)) {
        gap = next;
      }
      if (gap == std::string::npos) break;
      const std::size_t word = line.find_first_not_of(' ', gap);
      if (word == std::string::npos) break;
      rest = line.substr(word);
      result += line.substr(0, line.find_last_not_of(' ', gap) + 1) + '\n';
    }
    result += line;
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace course
