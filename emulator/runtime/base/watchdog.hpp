#pragma once
/// \file
/// How long something may run before the user is told that it does.

#include "base/rooms.hpp"

namespace emulator::base {

/// In seconds: EMULATOR_PATIENCE, or 10; 0 is forever.
double watchdog_delay();

}  // namespace emulator::base
