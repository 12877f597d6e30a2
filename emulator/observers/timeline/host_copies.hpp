#pragma once
/// \file
/// For code that has counted copies in another process.

#include "base/rooms.hpp"
#include "emulator/host_copies.h"

namespace emulator::timeline {

/// From now on copies are counted, or no longer. Nothing may be on its way.
void watch_host_copies(bool on);

/// Adds what another process has counted, while copies are counted.
void add_host_copies(const HostCopies& copies);

}  // namespace emulator::timeline
