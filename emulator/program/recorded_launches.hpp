#pragma once
/// \file
/// What becomes of a recorded launch: it is kept for the program to ask, written to the report, or
/// kept for the listing.

#include <vector>

#include "base/rooms.hpp"
#include "emulator/pace.h"
#include "emulator/traffic.h"
#include "observers/traffic/counters.hpp"

namespace emulator::program {

/// Whether anybody wants the next launch recorded.
bool must_record();

/// Hands over a launch that has ended, with its counters.
void add_launch(LaunchRecord record, RecordedCounters counters);

/// The pace of a launch that has ended.
void add_pace(const Pace& pace);

/// Writes to the file of EMULATOR_SARIF, if there is one, with which status the program ends.
void end_sarif(int status);

}  // namespace emulator::program
