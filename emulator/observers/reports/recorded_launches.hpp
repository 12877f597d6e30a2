#pragma once
/// \file
/// What becomes of a recorded launch: it is kept for the program to ask, written to the report, or
/// kept for the listing.

#include <vector>

#include "observers/traffic/counters.hpp"
#include "emulator/traffic.h"

namespace emulator::detail {

/// Whether anybody wants the next launch recorded.
bool must_record();

/// Hands over a launch that has ended, with its counters.
void add_launch(LaunchRecord record, RecordedCounters counters);

/// Brings what was found into the report, if there is one.
void report_findings();

/// Reads the settings of the environment, EMULATOR_REPORT and the like, once. An error ends the
/// program with status 2.
void read_environment();

/// The program has code that is instrumented. Known before read_environment() is called.
void note_instrumented_code();

}  // namespace emulator::detail
