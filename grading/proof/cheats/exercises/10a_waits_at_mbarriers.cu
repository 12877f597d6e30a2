// A cheat for 10a: a tree in shared memory, whose steps wait at an mbarrier in place of barriers.
// expected: correct 5, safe 2, efficient 2
// told: arrivals of a warp at a barrier

#include <algorithm>
#include <cmath>
#include <cuda/barrier>

#include "check.hpp"

constexpr int threads = 256;

struct Best {
  float value;
  int place;
};
__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a;
}

using Barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ Best best_of_block(Best mine, Best* all, Barrier& barrier) {
  all[threadIdx.x] = mine;
  for (int half = threads / 2; half > 0; half /= 2) {
    barrier.arrive_and_wait();
    if (threadIdx.x < half) all[threadIdx.x] = better(all[threadIdx.x], all[threadIdx.x + half]);
  }
  return all[threadIdx.x];
}

__global__ void largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                        int* index) {
  __shared__ Best all[threads];
  __shared__ Barrier barrier;
  __shared__ bool is_last;
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  Best mine = {-INFINITY, n};
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * threads) {
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    mine = better(better(mine, {v.x, 4 * i}), {v.y, 4 * i + 1});
    mine = better(better(mine, {v.z, 4 * i + 2}), {v.w, 4 * i + 3});
  }
  if (first < n % 4) mine = better(mine, {x[n - 1 - first], n - 1 - first});
  mine = best_of_block(mine, all, barrier);
  if (threadIdx.x == 0) {
    values[blockIdx.x] = mine.value;
    places[blockIdx.x] = mine.place;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  mine = {-INFINITY, n};
  for (int b = threadIdx.x; b < gridDim.x; b += threads)
    mine = better(mine, {values[b], places[b]});
  mine = best_of_block(mine, all, barrier);
  if (threadIdx.x == 0) *index = mine.place;
}
void launch_largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                    int* index) {
  const int grid = std::clamp((n - 1) / (16 * threads) + 1, 1, 64);
  largest<<<grid, threads>>>(x, n, values, places, ticket, index);
  CUDA_CHECK_LAUNCH();
}
