#pragma once
/// \file
/// __syncthreads(), the barrier of a block, and those of its kinds that take a vote.

#include "base/rooms.hpp"

namespace emulator::engine {

class RunningBlock;

/// All live threads of the block have come to a barrier, for an observer of details: they should
/// wait at one and the same, and those that have ended should have left before it.
void check_barrier(const RunningBlock& block);

/// The barrier of a block that runs.
class Syncthreads {
 public:
  void begin_block() { votes_ = false; }
  /// A thread has come to one that is not the plain one.
  void note_vote() { votes_ = true; }

  /// Called when no warp can run: then every live thread waits there, or the launch fails.
  /// \return whether there are any
  bool release(RunningBlock& block);

 private:
  void count_votes(RunningBlock& block);

  bool votes_ = false;
};

}  // namespace emulator::engine
