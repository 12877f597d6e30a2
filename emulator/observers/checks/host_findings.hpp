#pragma once
/// \file
/// What host code does wrong with memory: events/memory_events.hpp has what is announced of it.

#include <cstddef>
#include <string>

#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::checks {

/// Memory that is still allocated: `leak`, one for each place where some was.
void find_leaks();

/// `4000 bytes allocated by cudaMalloc`: an allocation in a finding's words.
std::string describe(const Allocation& allocation);

/// The function that frees what `made_by` allocates.
const char* function_to_free(const Allocation& allocation);

}  // namespace emulator::checks
