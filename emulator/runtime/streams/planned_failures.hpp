#pragma once
/// \file
/// Whether a call is to fail though nothing is wrong with it (emulator/planned_failures.h).

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "emulator/planned_failures.h"

namespace emulator::streams {

/// To be asked once for each such call. The planned error, or cudaSuccess.
cudaError_t fails_as_planned(Failing what);

}  // namespace emulator::streams
