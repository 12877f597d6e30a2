#include "host/characters.hpp"

#include <algorithm>
#include <array>

namespace course::tool {
namespace {

struct Range {
  std::uint32_t first, last;
};

template <std::size_t count>
bool is_in(const std::array<Range, count>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

// By the length in bytes: what is below could be written with fewer.
constexpr std::array<std::uint32_t, 5> smallest_code{0, 0, 0x80, 0x800, 0x10000};

// Halves of UTF-16's pairs, what XML does not know, and what is beyond Unicode's end.
constexpr std::array<Range, 3> no_characters{
    {{0xD800, 0xDFFF}, {0xFFFE, 0xFFFF}, {0x110000, 0x1FFFFF}}};

std::size_t length_announced_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC0 || first >= 0xF8) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

}  // namespace

Character character_at(std::string_view text, std::size_t k) {
  const auto first = static_cast<unsigned char>(text[k]);
  const Character no_text{.code = first, .length = 1, .is_text = false};
  const std::size_t length = length_announced_by(first);
  if (length == 0 || length > text.size() - k) return no_text;
  if (length == 1) return {.code = first, .length = 1, .is_text = true};
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (const char more : text.substr(k + 1, length - 1)) {
    const auto byte = static_cast<unsigned char>(more);
    if ((byte & 0xC0U) != 0x80U) return no_text;
    code = code << 6 | (byte & 0x3FU);
  }
  if (code < smallest_code[length] || is_in(no_characters, code)) return no_text;
  return {.code = code, .length = length, .is_text = true};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool turns_direction(std::uint32_t code) {
  constexpr std::array<Range, 4> ranges{
      {{0x61C, 0x61C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}}};
  return is_in(ranges, code);
}

bool is_invisible(std::uint32_t code) {
  constexpr std::array<Range, 11> ranges{{{0xA0, 0xA0},
                                          {0xAD, 0xAD},
                                          {0x1680, 0x1680},
                                          {0x180E, 0x180E},
                                          {0x2000, 0x200F},
                                          {0x2028, 0x202F},
                                          {0x205F, 0x206F},
                                          {0x3000, 0x3000},
                                          {0xFEFF, 0xFEFF},
                                          {0xFFF9, 0xFFFB},
                                          {0xE0000, 0xE007F}}};
  return is_in(ranges, code) || turns_direction(code);
}

std::string clean_utf8(const std::string& text) {
  std::string clean;
  for (std::size_t k = 0; k < text.size();) {
    const Character here = character_at(text, k);
    const bool is_break = here.code == '\n' || here.code == '\t';
    if (here.is_text && (is_break || !(is_control(here.code) || turns_direction(here.code)))) {
      clean += text.substr(k, here.length);
    } else if (here.code != '\r') {
      clean += "\xEF\xBF\xBD";
    }
    k += here.length;
  }
  return clean;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace course::tool
