/// \file
/// A block among those of its cluster: how it takes turns with them, the barriers of the cluster
/// and of a grid of them, and whose shared memory an address is in.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/extents.hpp"
#include "emulator/device/clusters.h"
#include "emulator/ptx/ptx.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {

// ---------------------------------------------------------------- turns

void Worker::run_clusters() {
  cluster_ = grid_->clustered->join(*this, cluster_rank_);
  if (cluster_ == nullptr) return;
  const dim3& size = grid_->configuration.block;
  first_thread_ = cluster_rank_ * ((volume(size) + warp_size - 1) / warp_size * warp_size);
  share_barriers(&cluster_->barriers());
  const dim3& grid = grid_->configuration.grid;
  while (cluster_->begin(cluster_rank_)) {
    const std::uint64_t number = cluster_->number();
    // The first block has the first turn: the others wait as long as it does.
    if (is_cooperative() && cluster_rank_ == 0 && !grid_->cooperative->begin(number)) {
      cluster_->fail();
      break;
    }
    const uint3 at = cluster_->block_index(cluster_rank_);
    clear_group_products();  // of a block that has failed
    block_ = at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z);
    run_block(block_);
    if (details_ != nullptr) details_->sync.end_block_of_cluster(cluster_rank_);
    if (cluster_->end(cluster_rank_) && is_cooperative()) grid_->cooperative->end(number);
  }
}

bool Worker::has_live_threads() const {
  return std::any_of(warps_.begin(), warps_.end(),
                     [](const Warp& warp) { return warp.at(Wait::ended) != warp.all(); });
}

bool Worker::has_running_threads() const {
  return std::any_of(warps_.begin(), warps_.end(),
                     [](const Warp& warp) { return warp.at(Wait::nothing) != 0; });
}

// Whether all live threads are at a barrier of the block.
bool Worker::is_at_barrier() const {
  return has_live_threads() && std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
           return (warp.at(Wait::block_barrier) | warp.at(Wait::ended)) == warp.all();
         });
}

// Called when no warp can run. Waits until one can, since others have done something; false if all
// threads have ended.
bool Worker::go_on_in_cluster() {
  auto turn = Cluster::Turn::goes_on;
  bool is_last_resort = false;
  for (;;) {
    const bool goes_on =
        has_running_threads() ||  // another block has come back from the grid's barrier
        (tiles_wait_ && release_tiles()) || (phases_wait_ && release_complete_phases()) ||
        (is_at_barrier() && release_barrier()) || (is_cooperative() && release_grid_barrier()) ||
        (turn == Cluster::Turn::latest && bring_awaited_copies()) ||
        (turn == Cluster::Turn::tests && release_testers());
    if (goes_on) {
      cluster_->goes_on();
      return true;
    }
    if (!has_live_threads()) return false;
    if (turn == Cluster::Turn::for_ever) {
      // Who only waits for the cluster does so for a block that can say more.
      const bool others_tell = std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) {
        return waits_for(lane, Wait::ended) ||
               (waits_for(lane, Wait::phase) && lane.phase->barrier == nullptr &&
                lane.phase->number == BlockBarriers::of_cluster);
      });
      if (!others_tell || is_last_resort) report_deadlock();
      is_last_resort = true;
    }
    turn = cluster_->wait_for_turn(cluster_rank_);
    if (turn == Cluster::Turn::failed) abandon(cudaSuccess);
  }
}

void Worker::spin_in_cluster() {
  if (cluster_->let_others(cluster_rank_) == Cluster::Turn::failed) abandon(cudaSuccess);
}

template <class Function>
void Worker::for_each_block_of_cluster(Function function) {
  if (cluster_ == nullptr) {
    function(*this, Cluster::State::begun);
    return;
  }
  for (unsigned i = 0; i < cluster_->blocks(); ++i) {
    function(*cluster_->block(i).worker, cluster_->block(i).state);
  }
}

// ---------------------------------------------------------------- the barrier of the grid

// Called when no warp can run: if all live threads of the block or of its cluster are at the
// barrier of the grid, waits for the other blocks or clusters.
bool Worker::release_grid_barrier() {
  // Every block comes by here, and at each of its barriers: so warps are asked, and not lanes.
  const auto waiting = std::find_if(warps_.begin(), warps_.end(), [](const Warp& warp) {
    return warp.at(Wait::grid_barrier) != 0;
  });
  if (waiting == warps_.end()) return false;
  bool have_all_come = true;
  bool has_one_ended = false;
  for_each_block_of_cluster([&](Worker& worker, Cluster::State state) {
    if (state == Cluster::State::ready) have_all_come = false;
    if (state == Cluster::State::ended) has_one_ended = true;
    if (state != Cluster::State::begun) return;
    for (const Warp& warp : worker.warps_) {
      if ((warp.at(Wait::grid_barrier) | warp.at(Wait::ended)) != warp.all()) have_all_come = false;
    }
  });
  if (!have_all_come) return false;
  if (details_ != nullptr) {
    for_each_block_of_cluster([](Worker& worker, Cluster::State state) {
      if (state == Cluster::State::begun) worker.check_barrier();
    });
  }
  auto outcome = CooperativeGrid::BarrierOutcome::incomplete;
  if (!has_one_ended) {
    outcome = grid_->cooperative->meet(cluster_ == nullptr ? block_ : cluster_->number());
  }
  switch (outcome) {
    case CooperativeGrid::BarrierOutcome::met:
      break;
    case CooperativeGrid::BarrierOutcome::incomplete: {
      const Lane& lane = waiting->lanes[std::countr_zero(waiting->at(Wait::grid_barrier))];
      fail_for(&lane, cudaErrorLaunchFailure,
               "a barrier of the grid waits for blocks that ended without reaching it",
               "divergent-barrier", lane.barrier_pc);
    }
    case CooperativeGrid::BarrierOutcome::failed:
      abandon(cudaSuccess);
  }
  if (details_ != nullptr) announce_block();
  for_each_block_of_cluster([](Worker& worker, Cluster::State state) {
    if (state != Cluster::State::begun) return;
    for (Warp& warp : worker.warps_) {
      warp.move(warp.at(Wait::grid_barrier), Wait::grid_barrier, Wait::nothing);
    }
  });
  return true;
}

// ---------------------------------------------------------------- the barrier of the cluster

// Ends its phase, if all threads that have not ended have arrived.
void Worker::end_cluster_phase() {
  bool is_complete = true;
  bool all_wait = true;
  for_each_block_of_cluster([&](Worker& worker, Cluster::State state) {
    if (state == Cluster::State::ready) is_complete = false;
    if (state != Cluster::State::begun) return;
    for (const Warp& warp : worker.warps_) {
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
  if (details_ != nullptr) details_->sync.cluster_arrived(all_wait && !all.cluster_relaxed);
  ++all.cluster_phase;
  all.cluster_arrives = all.cluster_relaxed = false;
  all.tested = 0;
  for_each_block_of_cluster([](Worker& worker, Cluster::State state) {
    if (state != Cluster::State::begun) return;
    for (Lane& lane : worker.lanes_) lane.at_cluster_barrier = AtClusterBarrier::complete;
  });
}

// ---------------------------------------------------------------- what a kernel asks

void Worker::declare_cluster(const dim3& shape) {
  const dim3& launched = grid_->configuration.cluster;
  if (launched.x == shape.x && launched.y == shape.y && launched.z == shape.z) return;
  cudaError_t none = cudaSuccess;
  if (grid_->error.compare_exchange_strong(none, cudaErrorInvalidClusterSize)) {
    grid_->declared = shape;
  }
  abandon(cudaErrorInvalidClusterSize);
}

namespace {

const Cluster* running_cluster() {
  return current_lane == nullptr ? nullptr : current_lane->worker->cluster();
}

unsigned component(const dim3& size, unsigned direction) {
  return direction == 0 ? size.x : direction == 1 ? size.y : size.z;
}

}  // namespace

// ---------------------------------------------------------------- shared memory

const Worker* Worker::owner_of(std::uintptr_t address) const {
  if (cluster_ == nullptr) return is_shared(address) ? this : nullptr;
  for (unsigned i = 0; i < cluster_->blocks(); ++i) {
    const Worker* const worker = cluster_->block(i).worker;
    if (worker->is_shared(address)) return worker;
  }
  return nullptr;
}

const Worker& Worker::worker_of(unsigned rank) const {
  return cluster_ == nullptr ? *this : *cluster_->block(rank).worker;
}

namespace {

constexpr unsigned rank_shift = 24;  // addresses in 32 bits have the block's rank above it, plus 1

const Worker& block_of_rank(Lane& lane, unsigned rank, const void* pc) {
  if (rank >= cluster_blocks()) {
    refuse(lane, pc, failed_kernel,
           "shared memory of block %u of the cluster is asked for, which has %u", rank,
           cluster_blocks());
  }
  return lane.worker->worker_of(rank);
}

const Worker& owner(Lane& lane, const void* pointer, const void* pc) {
  const Worker* const worker = lane.worker->owner_of(address_of(pointer));
  if (worker == nullptr) {
    refuse(lane, pc, wrong_space,
           "an address of shared memory is asked for of a pointer to other memory");
  }
  return *worker;
}

}  // namespace

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void cluster_arrive(bool relaxed) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  if (lane->at_cluster_barrier != AtClusterBarrier::no) {
    refuse(*lane, pc, misuse,
           "a thread arrives at the barrier of its cluster, and has not waited since it last "
           "arrived");
  }
  lane->at_cluster_barrier = AtClusterBarrier::arrived;
  BlockBarriers& all = block_barriers();
  all.used = all.cluster_arrives = true;
  all.cluster_relaxed |= relaxed;
  if (relaxed) return;
  record_event(AsyncEvent::arrives,
               std::uintptr_t{BlockBarriers::of_cluster} << 3 | (all.cluster_phase & 7U), pc);
}

void cluster_wait() {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  if (lane->at_cluster_barrier == AtClusterBarrier::no) {
    refuse(*lane, pc, misuse, "a thread waits at the barrier of its cluster without arriving");
  }
  const bool is_complete = lane->at_cluster_barrier == AtClusterBarrier::complete;
  if (recording_lane != nullptr) record_barrier(pc);
  if (!is_complete || recording_lane != nullptr) {
    const std::uint64_t phase = block_barriers().cluster_phase - (is_complete ? 1 : 0);
    PhaseRequest request{nullptr, BlockBarriers::of_cluster, phase, false, false, address_of(pc)};
    lane->phase = &request;
    lane->worker->wait_for_phase(*lane);
  }
  lane->at_cluster_barrier = AtClusterBarrier::no;
}

void declare_cluster(unsigned x, unsigned y, unsigned z) {
  if (current_lane != nullptr) current_lane->worker->declare_cluster({x, y, z});
}

unsigned cluster_blocks() noexcept {
  const Cluster* const cluster = running_cluster();
  return cluster == nullptr ? 1 : cluster->blocks();
}

unsigned cluster_extent(unsigned direction) noexcept {
  const Cluster* const cluster = running_cluster();
  return cluster == nullptr ? 1 : component(cluster->shape(), direction);
}

unsigned cluster_rank() noexcept {
  return current_lane == nullptr ? 0 : current_lane->worker->cluster_rank();
}

unsigned cluster_index(unsigned direction) noexcept {
  const Cluster* const cluster = running_cluster();
  if (cluster == nullptr) return 0;
  const uint3 place = place_in(cluster->shape(), cluster_rank());
  return component({place.x, place.y, place.z}, direction);
}

bool is_explicit_cluster() noexcept {
  return current_lane != nullptr && current_lane->worker->has_explicit_clusters();
}

void* shared_of_block(const void* pointer, unsigned rank) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return const_cast<void*>(pointer);
  const Worker& from = owner(*lane, pointer, pc);
  const Worker& to = block_of_rank(*lane, rank, pc);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the program has
  return reinterpret_cast<void*>(address_of(pointer) - from.shared_begin() + to.shared_begin());
}

unsigned block_of_shared(const void* pointer) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return 0;
  return owner(*lane, pointer, __builtin_return_address(0)).cluster_rank();
}

// Addresses in 32 bits count from a multiple of 1024 below the first byte that may be shared. That
// of another block has its rank in it.
std::uint32_t shared_address(const void* pointer) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return 0;
  const Worker& worker = owner(*lane, pointer, __builtin_return_address(0));
  if (&worker == lane->worker) lane->worker->note_shared_address(address_of(pointer));
  const auto offset = static_cast<std::uint32_t>(address_of(pointer) - worker.shared_base());
  return &worker == lane->worker ? offset : offset | (worker.cluster_rank() + 1) << rank_shift;
}

void* shared_pointer(std::uint32_t address) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return nullptr;
  const std::uint32_t rank = address >> rank_shift;
  const Worker& worker =
      rank == 0 || rank > cluster_blocks() ? *lane->worker : lane->worker->worker_of(rank - 1);
  const std::uint32_t offset = rank > cluster_blocks() ? address : address % (1U << rank_shift);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the program has
  return reinterpret_cast<void*>(worker.shared_base() + offset);
}

unsigned shared_of_block(unsigned address, unsigned rank) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return address;
  const Worker& worker = block_of_rank(*lane, rank, __builtin_return_address(0));
  const std::uint32_t offset = address % (1U << rank_shift);
  return &worker == lane->worker ? offset : offset | (rank + 1) << rank_shift;
}

unsigned block_of_shared(unsigned address) {
  const unsigned rank = address >> rank_shift;
  return rank == 0 || rank > cluster_blocks() ? cluster_rank() : rank - 1;
}

}  // namespace emulator::detail
