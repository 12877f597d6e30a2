#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "grader/report/report.hpp"

namespace course::tool::grading {
namespace {

std::string in_hexadecimal(const char* form, std::uint32_t number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), form, number);
  return text.data();
}

/// The character that begins at `k`, and how many bytes it has; 0 if there is none.
std::uint32_t character_at(const std::string& text, std::size_t k, std::size_t& length) {
  const auto first = static_cast<unsigned char>(text[k]);
  length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // What no report can show is replaced there.
  const std::string character = text.substr(k, length);
  if (clean_utf8(character) != character && !is_bidirectional(character)) {
    length = 0;
    return 0;
  }
  if (length == 1) return first;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t j = 1; j < length; ++j) {
    code = (code << 6) | (static_cast<unsigned char>(text[k + j]) & 0x3FU);
  }
  return code;
}

/// Characters without an ink of their own: blanks of all widths, ends of lines, and what turns the
/// direction of writing.
bool is_invisible(std::uint32_t code) {
  constexpr std::array<std::array<std::uint32_t, 2>, 12> ranges{{{0xA0, 0xA0},
                                                                 {0xAD, 0xAD},
                                                                 {0x61C, 0x61C},
                                                                 {0x1680, 0x1680},
                                                                 {0x180E, 0x180E},
                                                                 {0x2000, 0x200F},
                                                                 {0x2028, 0x202F},
                                                                 {0x205F, 0x206F},
                                                                 {0x3000, 0x3000},
                                                                 {0xFEFF, 0xFEFF},
                                                                 {0xFFF9, 0xFFFB},
                                                                 {0xE0000, 0xE007F}}};
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return code >= range[0] && code <= range[1]; });
}

}  // namespace

std::string shown_name(const std::string& name) {
  std::string shown;
  for (std::size_t k = 0; k < name.size();) {
    std::size_t length = 0;
    const std::uint32_t code = character_at(name, k, length);
    const bool stands_alone = k != 0 && k + 1 != name.size() && name[k - 1] != ' ';
    if (length == 0) {
      shown += in_hexadecimal("\\x%02X", static_cast<unsigned char>(name[k]));
    } else if (code == '\\') {
      shown += "\\\\";
    } else if (code == '\n') {
      shown += "\\n";
    } else if (code == '\t') {
      shown += "\\t";
    } else if (code == ' ' && !stands_alone) {
      shown += "\\x20";
    } else if (is_invisible(code)) {
      shown += in_hexadecimal("\\u%04X", code);
    } else {
      shown += name.substr(k, length);
    }
    k += std::max<std::size_t>(length, 1);
  }
  return shown;
}

}  // namespace course::tool::grading
