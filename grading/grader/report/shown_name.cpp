#include <array>
#include <cstdint>
#include <cstdio>

#include "grader/report/report.hpp"
#include "host/characters.hpp"

namespace course::tool::grading {
namespace {

std::string in_hexadecimal(const char* form, std::uint32_t number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), form, number);
  return text.data();
}

std::string in_bytes(const std::string& text) {
  std::string shown;
  for (const char c : text) shown += in_hexadecimal("\\x%02X", static_cast<unsigned char>(c));
  return shown;
}

}  // namespace

std::string shown_name(const std::string& name) {
  std::string shown;
  for (std::size_t k = 0; k < name.size();) {
    const Character here = character_at(name, k);
    const std::string text = name.substr(k, here.length);
    const bool stands_alone = k != 0 && k + 1 != name.size() && name[k - 1] != ' ';
    if (here.code == '\\') {
      shown += "\\\\";
    } else if (here.code == '\n') {
      shown += "\\n";
    } else if (here.code == '\t') {
      shown += "\\t";
    } else if (here.code == ' ' && !stands_alone) {
      shown += "\\x20";
    } else if (!here.is_text || is_control(here.code)) {
      shown += in_bytes(text);
    } else if (is_invisible(here.code)) {
      shown += in_hexadecimal("\\u%04X", here.code);
    } else {
      shown += text;
    }
    k += here.length;
  }
  return shown;
}

}  // namespace course::tool::grading
