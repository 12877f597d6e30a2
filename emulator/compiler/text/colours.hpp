#pragma once

#include <string>
#include <string_view>

namespace emulator::compiler::text {

/// A line of a compiler's without the escape sequences that colour it.
std::string without_colours(std::string_view line);

}  // namespace emulator::compiler::text
