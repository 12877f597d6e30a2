#pragma once
/// \file
/// Errors that a program gets and never looks at.

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::checks {

/// Adds a finding for each error that nobody has looked at: the program ends.
void find_unchecked_errors();

}  // namespace emulator::checks
