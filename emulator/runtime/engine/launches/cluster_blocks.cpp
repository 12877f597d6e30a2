/// \file
/// What a kernel asks of clusters: their barrier, their extents, and addresses of shared memory of
/// their blocks.

#include <cstdint>

#include "base/extents.hpp"
#include "emulator/device/clusters.h"
#include "emulator/ptx/ptx.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"

namespace emulator::engine {
namespace {

const Cluster* running_cluster() {
  return current_lane == nullptr ? nullptr : current_lane->worker->seat().cluster();
}

unsigned component(const dim3& size, unsigned direction) {
  return direction == 0 ? size.x : direction == 1 ? size.y : size.z;
}

constexpr unsigned rank_shift = 24;  // addresses in 32 bits have the block's rank above it, plus 1

const Worker& block_of_rank(Lane& lane, unsigned rank, const void* pc) {
  if (rank >= cluster_blocks()) {
    refuse(lane, pc, failed_kernel,
           "a thread asks for shared memory of block %u of a cluster of %u blocks", rank,
           cluster_blocks());
  }
  return lane.worker->seat().worker_of(rank);
}

const Worker& owner(Lane& lane, const void* pointer, const void* pc) {
  const Worker* const worker = lane.worker->seat().owner_of(address_of(pointer));
  if (worker == nullptr) {
    refuse(lane, pc, wrong_space,
           "a thread asks for the shared memory address of a pointer to other memory");
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
    lane->worker->wait(*lane, Wait::phase);
  }
  lane->at_cluster_barrier = AtClusterBarrier::no;
}

void declare_cluster(unsigned x, unsigned y, unsigned z) {
  if (current_lane == nullptr) return;
  Worker& worker = *current_lane->worker;
  Grid& grid = worker.grid();
  const dim3& launched = grid.configuration.cluster;
  if (launched.x == x && launched.y == y && launched.z == z) return;
  // The launch begins again.
  cudaError_t none = cudaSuccess;
  if (grid.error.compare_exchange_strong(none, cudaErrorInvalidClusterSize)) {
    grid.declared = {x, y, z};
  }
  worker.abandon(cudaErrorInvalidClusterSize);
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
  return current_lane == nullptr ? 0 : current_lane->worker->seat().rank();
}

unsigned cluster_index(unsigned direction) noexcept {
  const Cluster* const cluster = running_cluster();
  if (cluster == nullptr) return 0;
  const uint3 place = place_in(cluster->shape(), cluster_rank());
  return component({place.x, place.y, place.z}, direction);
}

bool is_explicit_cluster() noexcept {
  return current_lane != nullptr && current_lane->worker->grid().has_explicit_clusters();
}

void* shared_of_block(const void* pointer, unsigned rank) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return const_cast<void*>(pointer);
  const Worker& from = owner(*lane, pointer, pc);
  const Worker& to = block_of_rank(*lane, rank, pc);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the program has
  return reinterpret_cast<void*>(address_of(pointer) - from.shared().begin() + to.shared().begin());
}

unsigned block_of_shared(const void* pointer) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return 0;
  return owner(*lane, pointer, __builtin_return_address(0)).seat().rank();
}

// Addresses in 32 bits count from a multiple of 1024 below the first byte that may be shared. That
// of another block has its rank in it.
std::uint32_t shared_address(const void* pointer) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return 0;
  const Worker& worker = owner(*lane, pointer, __builtin_return_address(0));
  if (&worker == lane->worker) lane->worker->note_asked_for_shared(address_of(pointer));
  const auto offset = static_cast<std::uint32_t>(address_of(pointer) - worker.shared().base());
  return &worker == lane->worker ? offset : offset | (worker.seat().rank() + 1) << rank_shift;
}

void* shared_pointer(std::uint32_t address) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return nullptr;
  const std::uint32_t rank = address >> rank_shift;
  const Worker& worker = rank == 0 || rank > cluster_blocks()
                             ? *lane->worker
                             : lane->worker->seat().worker_of(rank - 1);
  const std::uint32_t offset = rank > cluster_blocks() ? address : address % (1U << rank_shift);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the program has
  return reinterpret_cast<void*>(worker.shared().base() + offset);
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
