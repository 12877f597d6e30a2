#include "base/listing_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace emulator::base {
namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

double quotient(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string without_zero_decimal(std::string number) {
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number;
}

struct Character {
  std::size_t bytes = 1;
  unsigned columns = 1;
  bool printable = true;
};

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
         (c >= 0x20000 && c <= 0x3FFFD);
}

bool has_no_width(char32_t c) {
  return (c >= 0x0300 && c <= 0x036F) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0xFE00 && c <= 0xFE0F);
}

// The character that the text begins with.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, 1, lead >= 0x20 && lead != 0x7F};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {1, 1, false};
  char32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {1, 1, false};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  // What a shorter sequence can say, half of a UTF-16 pair, what is beyond Unicode's end, and the
  // control characters of Latin-1.
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {1, 1, false};
  if (code < 0xA0) return {bytes, 1, false};
  return {bytes, is_wide(code) ? 2U : has_no_width(code) ? 0U : 1U, true};
}

}  // namespace

std::string short_count(std::uint64_t count) {
  if (count < 100000) return std::to_string(count);
  auto value = static_cast<double>(count);
  std::size_t step = 0;
  constexpr std::string_view letters = " kMGTPE";
  while (value >= 999.95) {  // which would round to 1000.0
    value /= 1000;
    ++step;
  }
  return formatted("%.1f", value) + letters[step];
}

std::string mean(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  const double value = quotient(part, whole);
  return formatted(value < 99.95 ? "%.1f" : "%.0f", value);
}

std::string plain_mean(std::uint64_t part, std::uint64_t whole) {
  return without_zero_decimal(mean(part, whole));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  const double value = 100 * quotient(part, whole);
  if (part != 0 && value < 1) return "<1%";
  if (part < whole && value > 99) return "99%";
  return formatted("%.0f%%", value);
}

std::string plain_percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  const double value = 100 * quotient(part, whole);
  if (part != 0 && value < 0.1) return "less than 0.1 %";
  const double shown = part < whole ? std::min(value, 99.9) : value;
  return without_zero_decimal(formatted("%.1f", shown)) + " %";
}

std::string counted(const std::string& number, const std::string& singular) {
  return number + " " + singular + (number == "1" ? "" : "s");
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    sum += character.columns;
    text.remove_prefix(character.bytes);
  }
  return sum;
}

std::string printable(std::string_view text) {
  constexpr std::size_t tab = 4;
  const auto end = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (text.front() == '\t') {
      const std::size_t spaces = tab - column % tab;
      result.append(spaces, ' ');
      column += spaces;
    } else {
      result.append(character.printable ? text.substr(0, character.bytes) : "?");
      column += character.columns;
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging) {
  std::vector<std::string> pieces;
  std::string indent;
  for (;;) {
    const std::size_t room = width > indent.size() + 1 ? width - indent.size() : 2;
    // Where the text must end to fit, and the last gap between words before that.
    std::size_t end = 0;
    std::size_t gap = 0;
    bool in_word = false;
    for (std::size_t used = 0; end < text.size();) {
      const Character character = first_character(text.substr(end));
      if (text[end] == ' ' && in_word) gap = end;
      in_word = text[end] != ' ';
      if (used + character.columns > room) break;
      used += character.columns;
      end += character.bytes;
    }
    if (end < text.size() && gap != 0) end = gap;
    pieces.push_back(indent + std::string(text.substr(0, end)));
    text.remove_prefix(end);
    const auto next = text.find_first_not_of(' ');
    if (next == std::string_view::npos) return pieces;
    text.remove_prefix(next);
    indent.assign(std::min(hanging, width / 2), ' ');
  }
}

}  // namespace emulator::base
