#pragma once
/// \file
/// Whether `__activemask()` finds the lanes of a branch together.

#include <atomic>

#include "base/rooms.hpp"

namespace emulator::events {

/// If not, each lane is the only active one, which CUDA allows at any time: a random legal order
/// (EMULATOR_ORDER) is one of lanes as well as of streams.
inline constinit std::atomic<bool> active_lanes_together{true};

}  // namespace emulator::events
