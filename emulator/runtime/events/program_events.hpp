#pragma once
/// \file
/// What is announced of a program as a whole (program/).

#include "base/rooms.hpp"

namespace emulator::events {

/// Reads the settings of the environment, EMULATOR_REPORT and the like, once. An error ends the
/// program with status 2.
void program_begins();

/// The program has code that is instrumented. Known before program_begins() is called.
void instrumented_code_found();

/// There are new findings, or none any more.
void findings_changed();

/// What the host's code does is not to be believed from now on.
void host_distrusted();

}  // namespace emulator::events
