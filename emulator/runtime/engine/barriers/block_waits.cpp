#include "engine/barriers/block_waits.hpp"

#include <algorithm>

#include "engine/barriers/group_barriers.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"

namespace emulator::engine {

bool BlockWaits::release(RunningBlock& block, const ClusterSeat& seat) {
  return (tiles_wait_ && release_tiles(block)) || phases_.release(block, seat) ||
         seat.release_grid_barrier(block) || syncthreads_.release(block);
}

namespace {

// A thread that only waits for the cluster waits for a block that can say more.
bool others_tell(const RunningBlock& block) {
  return std::all_of(block.lanes().begin(), block.lanes().end(), [](const Lane& lane) {
    return waits_for(lane, Wait::ended) ||
           (waits_for(lane, Wait::phase) && lane.phase->barrier == nullptr &&
            lane.phase->number == BlockBarriers::of_cluster);
  });
}

}  // namespace

bool BlockWaits::release_in_cluster(RunningBlock& block, const ClusterSeat& seat) {
  const bool is_cooperative = block.worker().grid().is_cooperative();
  Cluster& cluster = *seat.cluster();
  auto turn = Cluster::Turn::goes_on;
  bool is_last_resort = false;
  for (;;) {
    const bool goes_on =
        block.has_running_threads() ||  // another block has come back from the grid's barrier
        (tiles_wait_ && release_tiles(block)) ||
        (phases_.has_waiters() && phases_.release_complete(block, seat)) ||
        (block.is_at_barrier() && syncthreads_.release(block)) ||
        (is_cooperative && seat.release_grid_barrier(block)) ||
        (turn == Cluster::Turn::latest && phases_.bring_awaited_copies(block, seat)) ||
        (turn == Cluster::Turn::tests && phases_.release_testers(block));
    if (goes_on) {
      cluster.goes_on();
      return true;
    }
    if (!block.has_live_threads()) return false;
    if (turn == Cluster::Turn::for_ever) {
      if (!others_tell(block) || is_last_resort) block.worker().report_deadlock();
      is_last_resort = true;
    }
    turn = cluster.wait_for_turn(seat.rank());
    if (turn == Cluster::Turn::failed) block.worker().abandon(cudaSuccess);
  }
}

}  // namespace emulator::engine
