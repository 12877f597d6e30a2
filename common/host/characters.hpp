/// @file
/// The characters of a text that we have not chosen, which may be no text at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace course::tool {

/// One character of UTF-8; or one byte that begins none.
struct Character {
  std::uint32_t code = 0;  ///< the byte, if it is not text
  std::size_t length = 1;  ///< in bytes
  bool is_text = false;
};

/// What is at the byte `k`. U+FFFE and U+FFFF are not text either: XML has no such characters.
Character character_at(std::string_view text, std::size_t k);

/// U+0000 to U+001F and U+007F to U+009F.
bool is_control(std::uint32_t code);

/// What turns the order of the characters around it (U+200E and F, U+202A to E, U+2066 to 9,
/// U+061C): a reader would not see what is there.
bool turns_direction(std::uint32_t code);

/// Blanks of all widths but the space, ends of lines, and what turns the direction of writing.
bool is_invisible(std::uint32_t code);

/// With the letters A to Z in lower case; all else stays.
std::string lower_case(std::string text);

/// Text that is UTF-8, with U+FFFD for control characters (but tabs and line breaks) and for what
/// turns the direction of writing.
std::string clean_utf8(const std::string& text);

}  // namespace course::tool
