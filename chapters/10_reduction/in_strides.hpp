// Chapter 10, second lesson: a grid that strides over the array, and who adds up what its blocks
// leave.
#pragma once

#include "trees.hpp"

constexpr int wide_block = 1024;  // threads: each adds up by itself for most of the time

template <class T>
using Four = std::conditional_t<std::is_same_v<T, float>, float4, int4>;

template <class T>
__device__ T sum_of(Four<T> v) {
  return (v.x + v.y) + (v.z + v.w);
}

// What this thread adds up if a grid of any size goes over x in strides: 16 bytes a load, four
// loads on their way before the first sum needs one. x begins at a multiple of 16 bytes, as what
// cudaMalloc() returns does.
template <class T>
__device__ T sum_in_strides(const T* x, size_t n) {
  const auto* const x4 = reinterpret_cast<const Four<T>*>(x);
  const size_t stride = static_cast<size_t>(gridDim.x) * wide_block;
  size_t i = static_cast<size_t>(blockIdx.x) * wide_block + threadIdx.x;
  const size_t left_over = n / 4 * 4 + i;  // the first three threads may have one more
  T sum = left_over < n ? x[left_over] : T{};
  for (; i + 3 * stride < n / 4; i += 4 * stride) {
    const Four<T> a = x4[i], b = x4[i + stride], c = x4[i + 2 * stride], d = x4[i + 3 * stride];
    sum += (sum_of<T>(a) + sum_of<T>(b)) + (sum_of<T>(c) + sum_of<T>(d));
  }
  for (; i < n / 4; i += stride) sum += sum_of<T>(x4[i]);
  return sum;
}

template <class T>
__global__ void in_strides(const T* x, size_t n, T* sums) {
  const T sum = block_sum(sum_in_strides(x, n));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// One launch, and the simplest way to it: each block adds what it has to the result. *sum is 0 when
// it begins. Which block comes first is up to the hardware, so floats come out differently each
// time.
template <class T>
__global__ void by_atomics(const T* x, size_t n, T* sum) {
  const T mine = block_sum(sum_in_strides(x, n));
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// One launch, and the same bits every time: the block that ends last adds up what all have left, in
// the order of the blocks. Each block draws a ticket when its number stands in memory; the fence
// sees to it that it does. *ticket is 0 before, and again when the last has drawn.
template <class T>
__global__ void by_the_last(const T* x, size_t n, T* sums, unsigned* ticket, T* sum) {
  T mine = block_sum(sum_in_strides(x, n));
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = mine;
    __threadfence();  // my number, then my ticket
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // the ticket, then the others' numbers
  }
  __syncthreads();
  if (!is_last) return;  // a whole block: nobody is left waiting at a barrier
  mine = T{};
  for (unsigned i = threadIdx.x; i < gridDim.x; i += wide_block) mine += sums[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) *sum = mine;
}

// For what one block can take in at once there is no last one to wait for, and no loop: here the
// time of a sum is that of a launch, one access to memory, and as few instructions as will do.
constexpr unsigned in_one_block = 16 * wide_block;
template <class T>
__global__ void by_one_block(const T* x, unsigned n, T* sum) {
  const auto* const x4 = reinterpret_cast<const Four<T>*>(x);
  const unsigned i = threadIdx.x;
  const unsigned fours = n / 4;
  Four<T> v[4] = {};
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    if (i + k * wide_block < fours) v[k] = x4[i + k * wide_block];
  }
  T mine = 4 * fours + i < n ? x[4 * fours + i] : T{};
  mine += (sum_of<T>(v[0]) + sum_of<T>(v[1])) + (sum_of<T>(v[2]) + sum_of<T>(v[3]));
  mine = block_sum(mine);
  if (i == 0) *sum = mine;
}
