#pragma once
/// \file
/// Rules for a process that runs kernels for another one which does not trust it: the device's
/// memory is for kernels, and the host's code of this process has no way to the data that kernels
/// work on.

#include <cstddef>
#include <string>

namespace emulator::detail {

/// The rules hold from now on: `__device__` variables are out of the host's sight, and copies to
/// the host go nowhere but to the arrays that allow_copies_to() names.
void distrust_host();

/// Names an array of the host's that may be copied to. For one call: forget_copies() ends it.
void allow_copies_to(const void* array, std::size_t bytes);
void forget_copies();

/// Whether a copy of device memory to `to` may be. If not, violation() says so from now on.
bool may_copy_to_host(const void* to, std::size_t bytes);

/// What was tried against the rules, in a sentence; empty if nothing was.
std::string violation();

}  // namespace emulator::detail
