#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: the group of all threads of a cluster of blocks.

#include "emulator/cooperative/cooperative_base.h"
#include "emulator/device/clusters.h"

namespace cooperative_groups {

/// All threads of a cluster, or of the block where the launch has no clusters.
class cluster_group : public thread_group {
 public:
  EMULATOR_INLINE cluster_group()
      : thread_group(emulator::detail::GroupKind::cluster, num_threads()) {}

  /// What barrier_arrive() gives and barrier_wait() takes.
  struct arrival_token {};

  EMULATOR_INLINE static void sync() {
    emulator::detail::cluster_arrive(false);
    emulator::detail::cluster_wait();
  }
  EMULATOR_INLINE static arrival_token barrier_arrive() {
    emulator::detail::cluster_arrive(false);
    return {};
  }
  EMULATOR_INLINE static void barrier_wait() { emulator::detail::cluster_wait(); }
  EMULATOR_INLINE static void barrier_wait(arrival_token&&) { emulator::detail::cluster_wait(); }

  /// The rank of the block whose shared memory that is.
  EMULATOR_INLINE static unsigned query_shared_rank(const void* address) {
    return emulator::detail::block_of_shared(address);
  }
  /// The same variable in the shared memory of the block of that rank.
  template <class T>
  EMULATOR_INLINE static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(emulator::detail::shared_of_block(address, static_cast<unsigned>(rank)));
  }

  EMULATOR_INLINE static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  EMULATOR_INLINE static unsigned block_rank() { return emulator::detail::cluster_rank(); }
  EMULATOR_INLINE static dim3 dim_blocks() { return __clusterDim(); }
  EMULATOR_INLINE static unsigned num_blocks() { return emulator::detail::cluster_blocks(); }
  EMULATOR_INLINE static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  EMULATOR_INLINE static unsigned thread_rank() {
    return block_rank() * emulator::detail::threads_of_block() + emulator::detail::rank_in_block();
  }
  EMULATOR_INLINE static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  EMULATOR_INLINE static unsigned num_threads() {
    return num_blocks() * emulator::detail::threads_of_block();
  }
  EMULATOR_INLINE static unsigned size() { return num_threads(); }
};

EMULATOR_INLINE cluster_group this_cluster() {
  return {};
}

}  // namespace cooperative_groups
