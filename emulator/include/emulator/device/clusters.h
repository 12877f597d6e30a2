#pragma once
#pragma GCC system_header
/// \file
/// Clusters: blocks that run at the same time, wait for each other, and see each other's shared
/// memory. A block of a launch without clusters is a cluster of its own.

#include "emulator/host/launch.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// What the translator makes of `__cluster_dims__(x, y, z)`: the first statement of the kernel. The
/// launch begins again as one of clusters, unless it already is.
void declare_cluster(unsigned x, unsigned y = 1, unsigned z = 1);

/// The running block's cluster: how many blocks it has, in all and in each direction (0 is x), and
/// where among them this one is.
unsigned cluster_blocks() noexcept;
unsigned cluster_extent(unsigned direction) noexcept;
unsigned cluster_rank() noexcept;
unsigned cluster_index(unsigned direction) noexcept;
/// Whether the launch says what a cluster is.
bool is_explicit_cluster() noexcept;

/// The barrier of the cluster: a thread that arrives may go on, and waits later.
/// \param relaxed whether it orders nothing
void cluster_arrive(bool relaxed);
void cluster_wait();

/// The same address in the shared memory of the cluster's block of that rank; and the rank of the
/// block whose shared memory an address is in.
void* shared_of_block(const void* pointer, unsigned rank);
unsigned block_of_shared(const void* pointer);
/// The same of addresses in 32 bits.
unsigned shared_of_block(unsigned address, unsigned rank);
unsigned block_of_shared(unsigned address);

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN

EMULATOR_INLINE dim3 __clusterDim() {
  using emulator::detail::cluster_extent;
  return {cluster_extent(0), cluster_extent(1), cluster_extent(2)};
}
EMULATOR_INLINE bool __clusterDimIsSpecified() {
  return emulator::detail::is_explicit_cluster();
}
/// The place of the block in its cluster, and of the cluster in the grid.
EMULATOR_INLINE dim3 __clusterRelativeBlockIdx() {
  using emulator::detail::cluster_index;
  return {cluster_index(0), cluster_index(1), cluster_index(2)};
}
EMULATOR_INLINE dim3 __clusterIdx() {
  const dim3 size = __clusterDim();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
EMULATOR_INLINE dim3 __clusterGridDimInClusters() {
  const dim3 size = __clusterDim();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}
EMULATOR_INLINE unsigned __clusterRelativeBlockRank() {
  return emulator::detail::cluster_rank();
}
EMULATOR_INLINE unsigned __clusterSizeInBlocks() {
  return emulator::detail::cluster_blocks();
}
EMULATOR_INLINE void __cluster_barrier_arrive() {
  emulator::detail::cluster_arrive(false);
}
EMULATOR_INLINE void __cluster_barrier_arrive_relaxed() {
  emulator::detail::cluster_arrive(true);
}
EMULATOR_INLINE void __cluster_barrier_wait() {
  emulator::detail::cluster_wait();
}
EMULATOR_INLINE void* __cluster_map_shared_rank(const void* pointer, unsigned rank) {
  return emulator::detail::shared_of_block(pointer, rank);
}
EMULATOR_INLINE unsigned __cluster_query_shared_rank(const void* pointer) {
  return emulator::detail::block_of_shared(pointer);
}

EMULATOR_DEVICE_ONLY_END
