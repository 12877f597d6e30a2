#pragma once
/// \file
/// How wide a stream's lines may be, and whether they have colours.

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/rooms.hpp"
#include "emulator/traffic.h"

namespace emulator::base {

/// Columns for a line of standard output (1) or error (2): COLUMNS, or the terminal's width. What
/// goes to a pipe or a file is as wide everywhere.
inline unsigned width_of(int stream, unsigned usual) {
  constexpr unsigned long fewest = 20;
  if (const char* const asked = std::getenv("COLUMNS")) {
    char* end = nullptr;
    const unsigned long columns = std::strtoul(asked, &end, 10);
    if (*asked != '\0' && *end == '\0' && columns >= fewest && columns < 100000) {
      return static_cast<unsigned>(columns);
    }
  }
  if (isatty(stream) != 1) return usual;
  winsize size{};
  const bool known = ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col >= fewest;
  return known ? size.ws_col : 80;
}

/// The style for a stream: colour only on a terminal that knows some, and not with NO_COLOR.
inline ListingStyle style_of(int stream) {
  ListingStyle style;
  style.width = width_of(stream, style.width);
  const char* const none = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  style.colour = isatty(stream) == 1 && (none == nullptr || *none == '\0') && term != nullptr &&
                 std::string(term) != "dumb";
  return style;
}

}  // namespace emulator::base
