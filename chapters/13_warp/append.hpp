// Chapter 13, fourth lesson: an append. Each lane may have an element to keep; at the end all kept
// elements are contiguous, in any order. *count, 0 before, is their number.
#pragma once

#include "scan.hpp"
#include "votes.hpp"

__device__ __host__ inline bool is_kept(unsigned value) {
  return value % 2 == 1;
}

// Each lane asks for a place by itself: one atomic per element, all on one word. atomicInc() counts
// up to the given limit, which is never reached here.
__global__ void append_by_lanes(const unsigned* x, size_t n, unsigned* y, unsigned* count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i < n && is_kept(x[i])) y[atomicInc(count, ~0U)] = x[i];
}

// The same with atomicAdd(). Here the compiler sees that all lanes add the same to the same word,
// and does automatically what the next kernel does by hand.
__global__ void append_by_compiler(const unsigned* x, size_t n, unsigned* y, unsigned* count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i < n && is_kept(x[i])) y[atomicAdd(count, 1U)] = x[i];
}

// One atomic per warp. A ballot shows which lanes keep an element; one lane reserves that many
// places, and broadcasts where they begin; each lane's place is its rank.
__global__ void append_by_warps(const unsigned* x, size_t n, unsigned* y, unsigned* count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  const unsigned value = i < n ? x[i] : 0;
  const bool mine = i < n && is_kept(value);
  const unsigned keepers = __ballot_sync(all_lanes, mine);
  unsigned first = 0;
  if (lane() == 0 && keepers != 0) first = atomicAdd(count, __popc(keepers));
  first = __shfl_sync(all_lanes, first, 0);
  if (mine) y[first + __popc(keepers & lanes_below())] = value;
}

// One atomic per block, for 16 elements per thread. A scan of the counts gives each thread its
// first place. Shared memory gathers the kept elements, so that neighbours write neighbours.
constexpr int append_items = 16;
__global__ void __launch_bounds__(block)
    append_by_blocks(const unsigned* x, size_t n, unsigned* y, unsigned* count) {
  __shared__ BestScan<block>::Workspace workspace;
  __shared__ unsigned kept[block * append_items];
  __shared__ unsigned total;
  __shared__ unsigned first;
  const size_t begin = static_cast<size_t>(blockIdx.x) * block * append_items;
  unsigned v[append_items];
  // Four neighbours per lane, then the same a block's width further on: 16 bytes per lane,
  // contiguous in a warp.
  for (int k = 0; k < append_items; k += 4) {
    unsigned four[4];
    load(x, n, begin + k * block + 4 * threadIdx.x, four);  // 0 beyond the end: not kept
    for (int m = 0; m < 4; ++m) v[k + m] = four[m];
  }
  unsigned mine = 0;
  for (const unsigned value : v) mine += is_kept(value) ? 1 : 0;
  unsigned place = BestScan<block>::before(workspace, mine);
  if (threadIdx.x == block - 1) {
    total = place + mine;
    first = atomicAdd(count, place + mine);
  }
  for (const unsigned value : v) {
    if (is_kept(value)) kept[place++] = value;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < total; k += block) y[first + k] = kept[k];
}
