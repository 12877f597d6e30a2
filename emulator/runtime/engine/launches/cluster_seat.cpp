#include "engine/launches/cluster_seat.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/announcements.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/syncthreads.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"
#include "engine/launches/launch_turn.hpp"
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {

// ---------------------------------------------------------------- turns

bool ClusterSeat::join(ClusteredGrid& grid) {
  cluster_ = grid.join(worker_, running_, rank_);
  if (cluster_ == nullptr) return false;
  share_barriers(&cluster_->barriers());
  return true;
}

void ClusterSeat::leave() {
  cluster_ = nullptr;
  rank_ = 0;
  share_barriers(nullptr);
}

std::optional<std::uint64_t> ClusterSeat::begin_block(const Grid& grid) {
  if (!cluster_->begin(rank_)) return std::nullopt;
  // The first block has the first turn: the others wait as long as it does.
  if (grid.is_cooperative() && rank_ == 0 && !grid.cooperative->begin(cluster_->number())) {
    cluster_->fail();
    return std::nullopt;
  }
  clear_group_products();  // of a block that has failed
  const dim3& blocks = grid.configuration.grid;
  const uint3 at = cluster_->block_index(rank_);
  return at.x + std::uint64_t{blocks.x} * (at.y + std::uint64_t{blocks.y} * at.z);
}

void ClusterSeat::end_block(const Grid& grid) {
  const std::uint64_t number = cluster_->number();
  if (grid.details != nullptr) grid.details->sync.end_block_of_cluster(rank_);
  if (cluster_->end(rank_) && grid.is_cooperative()) grid.cooperative->end(number);
}

template <class Function>
void ClusterSeat::for_each_block(Function function) const {
  if (cluster_ == nullptr) {
    function(running_, Cluster::State::begun);
    return;
  }
  for (unsigned i = 0; i < cluster_->blocks(); ++i) {
    function(*cluster_->block(i).running, cluster_->block(i).state);
  }
}

// ---------------------------------------------------------------- shared memory

const Worker* ClusterSeat::owner_of(std::uintptr_t address) const {
  if (cluster_ == nullptr) return worker_.shared().holds(address) ? &worker_ : nullptr;
  for (unsigned i = 0; i < cluster_->blocks(); ++i) {
    const Worker* const worker = cluster_->block(i).worker;
    if (worker->shared().holds(address)) return worker;
  }
  return nullptr;
}

const Worker& ClusterSeat::worker_of(unsigned rank) const {
  return cluster_ == nullptr ? worker_ : *cluster_->block(rank).worker;
}

// ---------------------------------------------------------------- the barrier of the grid

bool ClusterSeat::release_grid_barrier(const RunningBlock& block) const {
  // Every block comes by here, and at each of its barriers: so warps are asked, and not lanes.
  const std::vector<Warp>& warps = block.warps();
  const auto waiting = std::find_if(warps.begin(), warps.end(), [](const Warp& warp) {
    return warp.at(Wait::grid_barrier) != 0;
  });
  if (waiting == warps.end()) return false;
  bool have_all_come = true;
  bool has_one_ended = false;
  for_each_block([&](RunningBlock& other, Cluster::State state) {
    if (state == Cluster::State::ready) have_all_come = false;
    if (state == Cluster::State::ended) has_one_ended = true;
    if (state != Cluster::State::begun) return;
    for (const Warp& warp : other.warps()) {
      if ((warp.at(Wait::grid_barrier) | warp.at(Wait::ended)) != warp.all()) have_all_come = false;
    }
  });
  if (!have_all_come) return false;
  if (block.details() != nullptr) {
    for_each_block([](RunningBlock& other, Cluster::State state) {
      if (state == Cluster::State::begun) check_barrier(other);
    });
  }
  Worker& worker = block.worker();
  auto outcome = CooperativeGrid::BarrierOutcome::incomplete;
  if (!has_one_ended) {
    const WaitsForOthers idle(worker.grid().turn);
    outcome =
        worker.grid().cooperative->meet(cluster_ == nullptr ? block.number() : cluster_->number());
  }
  switch (outcome) {
    case CooperativeGrid::BarrierOutcome::met:
      break;
    case CooperativeGrid::BarrierOutcome::incomplete: {
      const Lane& lane = waiting->lanes[std::countr_zero(waiting->at(Wait::grid_barrier))];
      worker.fail_for(&lane, cudaErrorLaunchFailure,
                      "a barrier of the grid waits for blocks that ended without reaching it",
                      "divergent-barrier", lane.barrier_pc);
    }
    case CooperativeGrid::BarrierOutcome::failed:
      worker.abandon(cudaSuccess);
  }
  if (block.details() != nullptr) announce_block(block);
  for_each_block([](RunningBlock& other, Cluster::State state) {
    if (state == Cluster::State::begun) other.release(Wait::grid_barrier);
  });
  return true;
}

// ---------------------------------------------------------------- the barrier of the cluster

void ClusterSeat::end_cluster_phase(const LaunchDetails* details) const {
  bool is_complete = true;
  bool all_wait = true;
  for_each_block([&](RunningBlock& other, Cluster::State state) {
    if (state == Cluster::State::ready) is_complete = false;
    if (state != Cluster::State::begun) return;
    for (const Warp& warp : other.warps()) {
      const std::uint32_t live = warp.all() & ~warp.at(Wait::ended);
      all_wait = all_wait && (live & ~warp.at(Wait::phase)) == 0;
      for (std::uint32_t rest = live; rest != 0 && is_complete; rest &= rest - 1) {
        const Lane& lane = warp.lanes[std::countr_zero(rest)];
        if (lane.at_cluster_barrier != AtClusterBarrier::arrived) is_complete = false;
      }
    }
  });
  if (!is_complete) return;
  BlockBarriers& all = block_barriers();
  if (details != nullptr) details->sync.cluster_arrived(all_wait && !all.cluster_relaxed);
  ++all.cluster_phase;
  all.cluster_arrives = all.cluster_relaxed = false;
  all.tested = 0;
  for_each_block([](RunningBlock& other, Cluster::State state) {
    if (state != Cluster::State::begun) return;
    for (Lane& lane : other.lanes()) lane.at_cluster_barrier = AtClusterBarrier::complete;
  });
}

}  // namespace emulator::engine
