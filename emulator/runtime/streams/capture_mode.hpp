#pragma once
/// \file
/// What may not be done while streams are captured, for code that does not know of graphs.

#include <atomic>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "streams/order.hpp"

namespace emulator::streams {

/// Says whether what a capture cannot see is forbidden now, and invalidates captures if it is. Set
/// before the first capture begins.
extern std::atomic<cudaError_t (*)()> refuse_unsafe;

/// cudaSuccess, or the error of what may not be done now, as a capture would not see it.
inline cudaError_t refuse_unsafe_while_capturing() {
  if (is_straight_through()) return cudaSuccess;
  cudaError_t (*const refuse)() = refuse_unsafe.load(std::memory_order_relaxed);
  return refuse == nullptr ? cudaSuccess : refuse();
}

}  // namespace emulator::streams
