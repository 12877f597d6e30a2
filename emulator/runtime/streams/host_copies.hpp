#pragma once
/// \file
/// For those who have counted copies in another process.

#include "emulator/host_copies.h"

namespace emulator::detail {

/// Adds what another process has counted, while copies are counted.
void add_host_copies(const HostCopies& copies);

}  // namespace emulator::detail
