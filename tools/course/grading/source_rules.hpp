/// @file
/// The few words of C++ that no solution needs, and by which a kernel could hide from the emulator.
#pragma once

#include <optional>
#include <string>

namespace course::tool::grading {

/// Why a source file is refused before any compiler sees it, as a line. Nothing if it is not.
std::optional<std::string> refused_for_source(const std::string& text);

}  // namespace course::tool::grading
