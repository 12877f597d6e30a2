// Chapter 10, first lesson: a tree of partial sums, in global memory, in shared memory, in
// registers.
#pragma once

#include "course.hpp"

constexpr int block = 512;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The block's 512 elements, halved in place: the upper half is added to the lower one, and so on,
// until the first element holds the sum of all. This destroys x.
template <class T>
__global__ void in_place(T* x, size_t n, T* sums) {
  const size_t first = static_cast<size_t>(blockIdx.x) * block;
  const int t = threadIdx.x;
  for (int half = block / 2; half > 0; half /= 2) {
    if (t < half && first + t + half < n) x[first + t] += x[first + t + half];
    __syncthreads();  // no thread may have left: all get here, also those beyond the end
  }
  if (t == 0) sums[blockIdx.x] = x[first];
}

// In the kernel above, half of the threads only wait, from the first step on. Here each first adds
// up four elements on its own, so a quarter of the blocks is enough. And once only one warp is
// left, it has no other warp to wait for: __syncwarp() replaces the barrier.
template <class T>
__global__ void four_a_thread(T* x, size_t n, T* sums) {
  const size_t first = static_cast<size_t>(blockIdx.x) * 4 * block;
  const int t = threadIdx.x;
  T sum{};
  for (int k = 0; k < 4; ++k) {
    const size_t i = first + k * block + t;
    if (i < n) sum += x[i];
  }
  if (first + t < n) x[first + t] = sum;
  __syncthreads();
  for (int half = block / 2; half >= 32; half /= 2) {
    if (t < half && first + t + half < n) x[first + t] += x[first + t + half];
    __syncthreads();
  }
  if (t >= 32) return;  // after the last barrier of the block
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    if (t < half && first + t + half < n) x[first + t] += x[first + t + half];
    __syncwarp();
  }
  if (t == 0) sums[blockIdx.x] = x[first];
}

// The same tree in shared memory. x is read once and is never changed, here and in what follows.
template <class T>
__global__ void in_shared(const T* x, size_t n, T* sums) {
  __shared__ T part[block];
  const size_t first = static_cast<size_t>(blockIdx.x) * 4 * block;
  const int t = threadIdx.x;
  T sum{};
  for (int k = 0; k < 4; ++k) {
    const size_t i = first + k * block + t;
    if (i < n) sum += x[i];
  }
  part[t] = sum;  // 0 where there are no elements, so no later step has to check
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// The sum over a warp, in lane 0: each step gives every lane the number of the lane `distance`
// further up. Lanes near the end get a useless number, which never reaches lane 0's sum.
template <class T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(all_lanes, value, distance);
  }
  return value;
}

// The sum over a block, in thread 0, in two stages: every warp's, then the first warp adds up
// those. A block has at most 32 warps, so one warp is enough.
template <class T>
__device__ T block_sum(T value) {
  __shared__ T of_warps[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < static_cast<int>(blockDim.x) / 32 ? of_warps[lane] : T{});
  return value;
}

template <class T>
__global__ void by_shuffles(const T* x, size_t n, T* sums) {
  const size_t first = static_cast<size_t>(blockIdx.x) * 4 * block;
  T sum{};
  for (int k = 0; k < 4; ++k) {
    const size_t i = first + k * block + threadIdx.x;
    if (i < n) sum += x[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
