#pragma once
/// \file
/// The two sides of a copy: where they have to be, and where they are.

#include <cstddef>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::streams {

/// Whether the kind is one, and what it asks of the two sides.
bool sides_of(cudaMemcpyKind kind, Sides& sides);

/// Whether the bytes are all in one allocation that is where it has to be, or all in memory that
/// the API does not know and therefore takes for the host's. If not, what is wrong with the side of
/// that name is announced.
bool is_usable(const char* side, const void* pointer, std::size_t bytes, Where where);

/// Whether the memory is the device's alone, or touches such of the program's variables.
bool is_the_devices(const void* pointer, std::size_t bytes);

}  // namespace emulator::streams
