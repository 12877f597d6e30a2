#pragma once
/// \file
/// Memory of the host's own that host functions (cudaLaunchHostFunc()) share with the code that
/// issues them: static variables, and those on the stack below the call in which they run. What
/// they use of it is watched from then on. On the heap nobody is told when memory is given back.

#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::ordering {

/// This thread is about to run a host function, and has run it. All under Ordering's lock.
void host_function_begins(const void* frame);
void host_function_ended();

/// Whether the host function that this thread runs, if any, shares that memory with others.
bool is_shared_by_host_function(std::uintptr_t address);

/// It uses that memory.
void watch_own_memory(std::uintptr_t address);
/// No memory is watched any more.
void forget_own_memory();

}  // namespace emulator::ordering
