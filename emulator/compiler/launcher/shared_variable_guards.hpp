#pragma once

#include <string>
#include <string_view>

/// \file
/// Unused bytes between shared variables. Two arrays of 32 floats would lie back to back, and an
/// index past the end of one would hit the other, unnoticed.

namespace emulator::compiler::launcher {

/// Adds 128 unused bytes after every object in thread-local storage, which is where shared
/// variables are; sizes of symbols and alignments stay.
///
/// \param assembly what g++ writes for the assembler. That language has few forms, the same for
///                 all processors, and knows each object: those of templates and functions, too,
///                 which no attribute in the C++ reaches.
std::string add_guards(std::string_view assembly);

/// If `command` is a call of the assembler, as g++ makes it, does the same to the file that it is
/// going to read.
///
/// \throws std::runtime_error if that cannot be written
void add_guards_to_input(const char* const* command);

}  // namespace emulator::compiler::launcher
