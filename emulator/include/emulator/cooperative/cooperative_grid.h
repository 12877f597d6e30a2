#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: the group of all threads of a launch.

#include "emulator/cooperative/cooperative_base.h"
#include "emulator/device/clusters.h"

namespace cooperative_groups {

/// All threads of the grid. They can wait for each other in a kernel that was launched by
/// cudaLaunchCooperativeKernel() or with cudaLaunchAttributeCooperative, and only there.
///
/// What such a barrier costs in memory traffic on a GPU, an atomic and some polling a block, is not
/// counted.
class grid_group : public thread_group {
 public:
  EMULATOR_INLINE grid_group() : thread_group(emulator::detail::GroupKind::grid) {}

  /// What barrier_arrive() gives and barrier_wait() takes.
  using arrival_token = unsigned int;

  /// Whether sync() is permitted.
  EMULATOR_INLINE bool is_valid() const { return emulator::detail::is_cooperative_launch(); }
  EMULATOR_INLINE void sync() const { emulator::detail::grid_barrier(); }
  /// Without effect: the thread arrives when it waits.
  EMULATOR_INLINE arrival_token barrier_arrive() const { return 0; }
  EMULATOR_INLINE void barrier_wait(arrival_token&&) const { emulator::detail::grid_barrier(); }

  EMULATOR_INLINE static unsigned long long size() {
    return emulator::detail::blocks_of_grid() * emulator::detail::threads_of_block();
  }
  EMULATOR_INLINE static unsigned long long num_threads() { return size(); }
  EMULATOR_INLINE static unsigned long long thread_rank() {
    return block_rank() * emulator::detail::threads_of_block() + emulator::detail::rank_in_block();
  }
  EMULATOR_INLINE static unsigned long long num_blocks() {
    return emulator::detail::blocks_of_grid();
  }
  EMULATOR_INLINE static unsigned long long block_rank() {
    return emulator::detail::rank_of_block();
  }
  EMULATOR_INLINE static dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  EMULATOR_INLINE static dim3 dim_blocks() { return {gridDim.x, gridDim.y, gridDim.z}; }
  /// The clusters of the grid: each block is one if the launch has none.
  EMULATOR_INLINE static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  EMULATOR_INLINE static unsigned long long num_clusters() {
    const dim3 size = dim_clusters();
    return static_cast<unsigned long long>(size.x) * size.y * size.z;
  }
  EMULATOR_INLINE static dim3 cluster_index() { return __clusterIdx(); }
  EMULATOR_INLINE static unsigned long long cluster_rank() {
    const dim3 size = dim_clusters();
    const dim3 index = cluster_index();
    return index.x + static_cast<unsigned long long>(size.x) *
                         (index.y + static_cast<unsigned long long>(size.y) * index.z);
  }
  EMULATOR_INLINE static dim3 group_dim() { return dim_blocks(); }
  EMULATOR_INLINE static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }
  EMULATOR_INLINE static dim3 thread_index() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
};

EMULATOR_INLINE grid_group this_grid() {
  return {};
}

}  // namespace cooperative_groups
