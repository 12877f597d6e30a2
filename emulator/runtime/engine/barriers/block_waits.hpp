#pragma once
/// \file
/// What threads of a block wait for that their warp alone cannot give, and which thread goes on
/// once no warp can run.

#include "base/rooms.hpp"
#include "engine/barriers/phase_waits.hpp"
#include "engine/barriers/syncthreads.hpp"
#include "engine/lane.hpp"

namespace emulator::engine {

class ClusterSeat;
class RunningBlock;

/// The barriers and phases of the block that runs.
class BlockWaits {
 public:
  void begin_block() {
    tiles_wait_ = false;
    phases_.begin_block();
    syncthreads_.begin_block();
  }

  /// A thread begins to wait.
  void note(Wait what) {
    if (what == Wait::tile_exchange) tiles_wait_ = true;
    if (what == Wait::phase) phases_.note_waiter();
  }
  /// A thread has come to a barrier of the block that is not the plain one.
  void note_vote() { syncthreads_.note_vote(); }

  /// All warps have had their turn, and one of them only spins.
  void end_pass(RunningBlock& block, const ClusterSeat& seat) { phases_.end_pass(block, seat); }

  /// Called when no warp can run. Lets threads go on; false if all have ended.
  bool release(RunningBlock& block, const ClusterSeat& seat);

  /// The same for a block of a cluster: waits until threads can go on, since others have done
  /// something.
  bool release_in_cluster(RunningBlock& block, const ClusterSeat& seat);

  /// The block has ended.
  void end_block(RunningBlock& block, const ClusterSeat& seat) { phases_.end_block(block, seat); }

 private:
  bool tiles_wait_ = false;  // whether a thread of the block has come to the barrier of a tile
  PhaseWaits phases_;
  Syncthreads syncthreads_;
};

}  // namespace emulator::engine
