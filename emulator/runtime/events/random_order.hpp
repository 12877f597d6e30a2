#pragma once
/// \file
/// What a random legal order (EMULATOR_ORDER) changes besides the order of work in streams: that of
/// lanes, and that of blocks.

#include <atomic>
#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::events {

/// Whether `__activemask()` finds the lanes of a branch together. If not, each lane is the only
/// active one, which CUDA allows at any time.
inline constinit std::atomic<bool> active_lanes_together{true};

/// By which the order of a launch's blocks is drawn; 0: they begin by their numbers.
inline constinit std::atomic<std::uint64_t> block_seed{0};

}  // namespace emulator::events
