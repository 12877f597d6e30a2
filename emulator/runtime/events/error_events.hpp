#pragma once
/// \file
/// What becomes of errors. Nothing comes of it unless somebody wants details.

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::events {

/// A new error takes the place of this host thread's last one. If nobody has looked at that, nobody
/// ever will.
void error_replaced(cudaError_t error);

/// The program looked at this host thread's last error.
void error_looked_at(cudaError_t error);

/// A kernel failed while it ran. The next calls will tell.
void kernel_failed();

/// A call is about to return the error of the failed kernel.
void failed_kernel_reported();

/// The error of the failed kernel is forgotten: the device was reset.
void failed_kernel_forgotten();

}  // namespace emulator::events
