#pragma once
/// \file
/// Lanes of a warp in step, for programs from before Volta: they leave `__syncwarp()` out where
/// every access is `volatile` or a fence is between. Such a lane goes on to its next volatile
/// access, or fence, only when the others have come to theirs. No GPU since 2017 promises that.
///
/// `EMULATOR_LOCKSTEP=1` asks for it, or `emucc --lockstep` when the program is built. Only
/// instrumented code can do it.

#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::engine {

struct Warp;

/// Whether it was asked for. Set before anything runs.
extern constinit bool lanes_in_step;

/// Reads EMULATOR_LOCKSTEP.
void read_lockstep();

/// The running thread is about to make a volatile access, or a fence.
void take_step(const void* pc);

/// Of the lanes that wait for nothing, those whose turn it is: a lane that has not come to a step
/// yet, else the first in the code, where lanes come together again.
std::uint32_t lanes_of_next_step(const Warp& warp, std::uint32_t running);

}  // namespace emulator::engine
