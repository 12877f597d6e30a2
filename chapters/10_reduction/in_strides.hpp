// Chapter 10, second lesson: a grid that strides over the array, and three ways to add up its
// blocks' sums.
#pragma once

#include "trees.hpp"

constexpr int wide_block = 1024;  // threads: each adds up on its own most of the time

template <class T>
using Four = std::conditional_t<std::is_same_v<T, float>, float4, int4>;

template <class T>
__device__ T sum_of(Four<T> v) {
  return (v.x + v.y) + (v.z + v.w);
}

// What this thread adds up if a grid of any size strides over x: 16 bytes per load, with four loads
// in flight before the first sum needs one. x is aligned to 16 bytes, as all memory from
// cudaMalloc() is.
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

// One launch, in the simplest way: each block adds its sum to the result. *sum is 0 at the
// beginning. The hardware decides the order of the blocks, so the sum of floats may differ from run
// to run.
template <class T>
__global__ void by_atomics(const T* x, size_t n, T* sum) {
  const T mine = block_sum(sum_in_strides(x, n));
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// One launch, and the same bits every time: the block that ends last adds up all blocks' sums, in
// the order of the blocks. Each block writes its sum and then draws a ticket; the fence makes the
// sum visible first. *ticket is 0 before, and again after the last draw.
template <class T>
__global__ void by_the_last(const T* x, size_t n, T* sums, unsigned* ticket, T* sum) {
  T mine = block_sum(sum_in_strides(x, n));
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = mine;
    __threadfence();  // my sum, then my ticket
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // the ticket, then the others' sums
  }
  __syncthreads();
  if (!is_last) return;  // the whole block returns: no thread is left waiting at a barrier
  mine = T{};
  for (unsigned i = threadIdx.x; i < gridDim.x; i += wide_block) mine += sums[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) *sum = mine;
}

// If one block can add up everything, there is no last block to wait for, and no loop: the time of
// such a sum is that of a launch, one memory access, and as few instructions as possible.
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
