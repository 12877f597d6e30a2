// Chapter 24: more bins than a block's shared memory holds, in the shared memory of several blocks.
#pragma once

#include <cooperative_groups.h>

#include "floats.hpp"

// A cluster's blocks share the bins: each has counters for some of them, and adds to those of the
// others in their shared memory. GPUs before compute capability 9.0 have no clusters, and never
// launch this.
__global__ void __launch_bounds__(wide_block)
    floats_in_cluster(const float* x, size_t n, const Bins bins, unsigned* counts) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ unsigned share_of_counters[];
  unsigned* const counters = share_of_counters;
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned blocks = cluster.num_blocks();
  const unsigned share = (bins.count + blocks - 1) / blocks;
  clear(counters, share);
  cluster.sync();  // all counters are 0 before the first block adds to another's
  for_each_bin(x, n, bins, Share{blockIdx.x, gridDim.x}, [=](unsigned bin) {
    atomicAdd(cluster.map_shared_rank(counters, bin / share) + bin % share, 1U);
  });
  cluster.sync();  // and all are complete; no block may leave while another adds to its counters
  const unsigned first = cluster.block_rank() * share;
  add_share(counters, first, share, bins.count, counts);
#endif
}
