#pragma once
/// \file
/// Errors that a program gets and never looks at. All of this does nothing while the checks are
/// off.

#include "emulator/host/host_types.h"

namespace emulator::detail {

/// A new error takes the place of this host thread's last one. If nobody has looked at that, nobody
/// ever will.
void replace_unchecked(cudaError_t error);

/// The program looked at this host thread's last error.
void look_at(cudaError_t error);

/// A kernel failed while it ran. The next calls will tell.
void remember_failed_kernel();

/// A call is about to return the error of the failed kernel.
void tell_failed_kernel();

/// The error of the failed kernel is forgotten: the device was reset.
void forget_failed_kernel();

/// Adds a finding for each error that nobody has looked at: the program ends.
void find_unchecked_errors();

}  // namespace emulator::detail
