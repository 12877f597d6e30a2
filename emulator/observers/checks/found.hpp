#pragma once
/// \file
/// All that was found, for the end of a program.

#include "base/rooms.hpp"

namespace emulator::checks {

/// What the program has printed so far comes before what is said about it.
void flush_program_output();

/// Prints what is new, and how many findings there are; true if one of them is an error.
bool print_summary();

/// From here on nothing has been found.
void forget_findings();

}  // namespace emulator::checks
