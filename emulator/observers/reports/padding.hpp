#pragma once
/// \file
/// By how much an array in shared memory is padded against bank conflicts.

#include "base/rooms.hpp"
#include "emulator/traffic.h"
#include "observers/reports/access_patterns.hpp"

namespace emulator::reports {

/// The fewest elements by which the array's last dimension has to be longer so that the
/// instruction's example has no conflict; 0 if no padding of up to a row of banks does that.
/// \param about what the example is: Pattern::stride
unsigned padding_without_conflict(const InstructionTraffic& instruction,
                                  const AccessPattern& about);

}  // namespace emulator::reports
