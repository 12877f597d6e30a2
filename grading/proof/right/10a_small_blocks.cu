// A right solution for 10a: more and smaller blocks than the model, and reductions of a warp by one
// instruction.
// expected: full marks

#include <algorithm>
#include <climits>

#include "check.hpp"

constexpr int block = 128;
constexpr unsigned all = 0xFFFFFFFFU;

struct Best {
  int key;  // ordered as the values are; INT_MIN for no number
  int place;
};

__device__ int ordered(float value) {
  if (value != value) return INT_MIN;
  const int bits = __float_as_int(value == 0.0F ? 0.0F : value);
  return bits >= 0 ? bits : bits ^ INT_MAX;
}
__device__ void take(Best& best, float value, int place) {
  const int key = ordered(value);
  if (key > best.key || (key == best.key && key != INT_MIN && place < best.place)) {
    best = Best{key, place};
  }
}
__device__ Best best_of_warp(Best mine) {
  const int key = __reduce_max_sync(all, mine.key);
  const int place = __reduce_min_sync(all, mine.key == key ? mine.place : INT_MAX);
  return {key, place};
}
__device__ Best best_of_block(Best mine, Best* of_warps) {
  mine = best_of_warp(mine);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  const int warps = blockDim.x / 32;
  if (threadIdx.x < 32) mine = best_of_warp(of_warps[threadIdx.x % warps]);
  return mine;
}

__global__ void largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                        int* index) {
  __shared__ Best first[block / 32], second[block / 32];
  __shared__ bool last;
  Best mine{INT_MIN, n};
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  for (int q = thread; 4 * q + 3 < n; q += threads) {
    const auto v = __ldg(reinterpret_cast<const float4*>(x) + q);
    take(mine, v.x, 4 * q);
    take(mine, v.y, 4 * q + 1);
    take(mine, v.z, 4 * q + 2);
    take(mine, v.w, 4 * q + 3);
  }
  const int tail = n - n % 4 + thread;
  if (tail < n) take(mine, x[tail], tail);
  mine = best_of_block(mine, first);
  if (threadIdx.x == 0) {
    values[blockIdx.x] = __int_as_float(mine.key);
    places[blockIdx.x] = mine.place;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    mine = Best{INT_MIN, n};
    if (threadIdx.x < gridDim.x) {
      mine = {__float_as_int(values[threadIdx.x]), places[threadIdx.x]};
    }
    mine = best_of_block(mine, second);
    if (threadIdx.x == 0) *index = mine.key == INT_MIN ? n : mine.place;
  }
}

void launch_largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                    int* index) {
  const int grid = std::min(std::max((n + 8 * block - 1) / (8 * block), 1), 64);
  largest<<<grid, block>>>(x, n, values, places, ticket, index);
  CUDA_CHECK_LAUNCH();
}
