#pragma once
/// \file
/// Operations of a warp: what its lanes bring to one, and when it is done.

#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/device/warp.h"

namespace emulator::engine {

class RunningBlock;
struct MatrixRequest;
struct Warp;

/// What one lane brings to a warp operation, and what it takes away.
struct WarpRequest {
  WarpOperation operation;
  std::uint32_t mask;               ///< lanes that must take part
  std::int32_t source;              ///< lane, delta or lane mask of a shuffle
  std::int32_t width;               ///< of a shuffle
  std::uintptr_t site;              ///< where it was called
  std::uint64_t value;              ///< in the low bytes
  std::uint64_t result = 0;         ///< set when the operation is done
  bool all_equal = false;           ///< set by match_all
  MatrixRequest* matrix = nullptr;  ///< of a matrix instruction
};

/// Called when no lane of the warp can run. Performs every operation whose lanes are all there.
/// \return whether there was one
bool resolve_warp_operations(const RunningBlock& block, Warp& warp);

}  // namespace emulator::engine
