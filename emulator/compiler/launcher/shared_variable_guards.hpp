#pragma once

#include <string>
#include <string_view>

/// \file
/// Unused bytes between shared variables, and between the functions of templates. Two arrays of 32
/// floats would be back to back, and an index past the end of one would hit the other, unnoticed.
/// Of functions in several objects the linker keeps one, but the debug information of all; where
/// they are back to back, libbacktrace takes them for one, and misses what begins in between.

namespace emulator::compiler::launcher {

/// Adds 128 unused bytes after every object in thread-local storage, which is where shared
/// variables are, and 2 after every function that the linker may find again in another object;
/// sizes of symbols and alignments stay.
///
/// \param assembly what g++ writes for the assembler. That language has few forms, the same for
///                 all processors, and knows each object: also those of templates and functions,
///                 which no attribute in the C++ reaches.
std::string add_guards(std::string_view assembly);

/// If `command` is a call of the assembler, as g++ makes it, does the same to the file that it is
/// going to read.
///
/// \throws std::runtime_error if that cannot be written
void add_guards_to_input(const char* const* command);

}  // namespace emulator::compiler::launcher
