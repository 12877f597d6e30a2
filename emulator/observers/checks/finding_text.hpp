#pragma once
/// \file
/// A finding as the reader of a terminal gets it.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rooms.hpp"
#include "emulator/findings.h"

namespace emulator::checks {

/// How findings are written.
struct FindingStyle {
  std::size_t width = 100;  ///< longer lines are broken
  bool colour = false;
  std::string folder;  ///< files below it are named relative to it; others by their last name
};

/// The style for stderr: colour only on a terminal, and only if NO_COLOR is not set.
FindingStyle style_of_stderr();

/// The finding as lines of text: what and where, with the lines of the source that can be read, in
/// which kernel and memory, and how to fix it.
std::string finding_text(const Finding& finding, const FindingStyle& style);

}  // namespace emulator::checks
