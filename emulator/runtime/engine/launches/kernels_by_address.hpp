#pragma once
/// \file
/// What is known of kernels by their addresses.

#include <optional>
#include <span>

#include "base/rooms.hpp"
#include "emulator/host/launch_api.h"

namespace emulator::engine {

/// The parameters of a module's kernel; nothing if no kernel is known to be at that address.
std::optional<std::span<const ParameterLayout>> parameters_of(const void* kernel);

/// Forgets the kernels between two addresses, whose module goes.
void forget_kernels(const void* begin, const void* end);

}  // namespace emulator::engine
