// A cheat for 10a: draws a ticket by a volatile load and a volatile store, between which another
// block's may come.
// expected: correct 5, safe 0, efficient 1

#include <algorithm>
#include <cmath>

#include "check.hpp"

constexpr int block = 256;       // threads: 8 warps
constexpr int most_blocks = 64;  // values and places have room for that many
constexpr unsigned all_lanes = 0xFFFFFFFFU;

struct Best {
  float value;
  int place;
};

// The better of two: the larger, and of equals the one that comes first. NaN never wins.
__device__ Best better(Best a, Best b) {
  const bool b_wins = b.value > a.value || (b.value == a.value && b.place < a.place);
  return b_wins ? b : a;
}

// The best of a warp, in lane 0 at least.
__device__ Best best_of_warp(Best mine) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const Best other = {__shfl_down_sync(all_lanes, mine.value, distance),
                        __shfl_down_sync(all_lanes, mine.place, distance)};
    mine = better(mine, other);
  }
  return mine;
}

// The best of a block, in thread 0 at least. All threads of the block call it; between two calls
// there is a barrier.
__device__ Best best_of_block(Best mine) {
  __shared__ Best of_warps[block / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  mine = best_of_warp(mine);
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  // Lanes without a warp look at the last one again: it does no harm to ask twice.
  if (warp == 0) mine = best_of_warp(of_warps[min(lane, block / 32 - 1)]);
  return mine;
}

// *index = the place of the first of the largest elements of x; n if there is no number.
// values and places hold what the blocks have found; *ticket is 0 before and after.
// x begins at a multiple of 16 bytes.
__global__ void largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                        int* index) {
  Best mine = {-INFINITY, n};  // loses against every number, also against minus infinity
  const auto* const x4 = reinterpret_cast<const float4*>(x);
  const int first = blockIdx.x * block + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * block) {
    const float4 v = x4[i];
    mine = better(mine, {v.x, 4 * i});
    mine = better(mine, {v.y, 4 * i + 1});
    mine = better(mine, {v.z, 4 * i + 2});
    mine = better(mine, {v.w, 4 * i + 3});
  }
  if (first < n % 4) mine = better(mine, {x[n - 1 - first], n - 1 - first});

  mine = best_of_block(mine);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    values[blockIdx.x] = mine.value;
    places[blockIdx.x] = mine.place;
    __threadfence();  // what I found, then my ticket
    volatile unsigned* const shared_ticket = ticket;
    const unsigned drawn = *shared_ticket;
    *shared_ticket = drawn == gridDim.x - 1 ? 0 : drawn + 1;
    is_last = drawn == gridDim.x - 1;
    __threadfence();  // the ticket, then what the others found
  }
  __syncthreads();
  if (!is_last) return;  // the whole block, or none of it
  mine = {-INFINITY, n};
  const int blocks = gridDim.x;
  for (int b = threadIdx.x; b < blocks; b += block) mine = better(mine, {values[b], places[b]});
  mine = best_of_block(mine);
  if (threadIdx.x == 0) *index = mine.place;
}

// All pointers are to device memory. n may be 0: then *index is 0.
void launch_largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                    int* index) {
  // Four loads of 16 bytes a thread and, if n is large, more; never a grid without a block.
  const int grid = std::clamp((n - 1) / (16 * block) + 1, 1, most_blocks);
  largest<<<grid, block>>>(x, n, values, places, ticket, index);
  CUDA_CHECK_LAUNCH();
}
