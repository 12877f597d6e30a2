#pragma once
/// \file
/// What is announced of a launch and of a block before it begins.

#include "base/rooms.hpp"
#include "emulator/host/launch.h"
#include "events/launch_observer.hpp"

namespace emulator::engine {

class RunningBlock;
class SharedStorage;

/// A launch that the calling host thread begins, with its shared memory.
ObservedLaunch observed_launch(const char* kernel, const void* function,
                               const Configuration& configuration, const SharedStorage& shared);

/// The block, or the cluster whose first block it is, begins or goes on after a barrier of the
/// grid. Only where details are wanted.
void announce_block(const RunningBlock& block);

}  // namespace emulator::engine
