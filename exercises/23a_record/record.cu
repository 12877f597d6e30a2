// Exercise 23a: a bug hunt. The record before each day.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 23a

#include <climits>
#include <cuda/atomic>

#include "check.hpp"

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;
constexpr int none = INT_MIN;  // there has been no day yet

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// Every lane gets the highest level of all lanes up to itself.
__device__ int warp_scan(int level) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(all_lanes, level, distance);
    if (lane >= distance) level = max(level, before);
  }
  return level;
}

// The record up to the end of each tile is handed on from tile to tile. Returns the record before
// this one. One thread calls it.
//
// @param own  the record of the tile's own days
__device__ int hand_on(unsigned tile, int own, unsigned* flags, int* records) {
  int before = 0;
  if (tile > 0) {
    while (Flag(flags[tile - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    before = records[tile - 1];
  }
  Flag(flags[tile]).store(1, cuda::memory_order_release);  // the others need not wait any longer
  records[tile] = own;
  return before;
}

__global__ void record_before(const int* levels, int n, int* records_before, unsigned* ticket,
                              unsigned* flags, int* records) {
  __shared__ unsigned drawn;
  __shared__ int of_warps[warps];
  __shared__ int before_tile;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) drawn = atomicAdd(ticket, 1U);
  __syncthreads();
  const unsigned tile = drawn;
  const int day = static_cast<int>(tile) * block + static_cast<int>(threadIdx.x);

  const int highest = warp_scan(day < n ? levels[day] : none);
  if (lane == 31) of_warps[warp] = highest;
  __syncthreads();
  if (threadIdx.x == 0) {
    int own = none;
    for (int w = 0; w < warps; ++w) own = max(own, of_warps[w]);
    before_tile = hand_on(tile, own, flags, records);
  }
  __syncthreads();

  // Exclusive: what the lane below has found is the record before this day.
  int before = __shfl_up_sync(all_lanes, highest, 1);
  for (int w = 0; w < warp; ++w) before = max(before, of_warps[w]);
  if (day < n) records_before[day] = max(before_tile, before);
}

// All pointers are to device memory. flags and records have room for one number per tile of 256
// days; ticket is one number. All three are 0 before the first launch. There may be others.
void launch_record_before(const int* levels, int n, int* records_before, unsigned* ticket,
                          unsigned* flags, int* records) {
  if (n == 0) return;
  const int tiles = (n - 1) / block + 1;
  CUDA_CHECK(cudaMemset(flags, 0, tiles * sizeof(unsigned)));
  record_before<<<tiles, block>>>(levels, n, records_before, ticket, flags, records);
  CUDA_CHECK_LAUNCH();
}
