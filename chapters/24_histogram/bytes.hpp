// Chapter 24, first lesson: how often each of 256 values occurs in an array of bytes. Where the
// counters are, how many there are of each, and what a warp's lanes do to each other there.
#pragma once

#include "course.hpp"

using Byte = unsigned char;

constexpr int byte_bins = 256;
constexpr int block = 512;
constexpr int wide_block = 1024;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// One atomic in global memory for each byte.
__global__ void in_global(const Byte* x, size_t n, unsigned* counts) {
  const size_t stride = static_cast<size_t>(gridDim.x) * block;
  for (size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x; i < n; i += stride) {
    atomicAdd(&counts[x[i]], 1U);
  }
}

// All threads of the block set its counters to 0.
__device__ inline void clear(unsigned* counters, unsigned count) {
  for (unsigned k = threadIdx.x; k < count; k += blockDim.x) counters[k] = 0;
  __syncthreads();
}

// `copies` counters of each bin are side by side. Their sum goes to the result, with one atomic per
// bin and block. Lanes begin with different copies, so that they read from different banks.
template <int copies>
__device__ void add_copies(const unsigned* counters, unsigned bins, unsigned* counts) {
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < copies; ++k)
      sum += counters[bin * copies + (bin * copies / 32 + k) % copies];
    if (sum != 0) atomicAdd(&counts[bin], sum);
  }
}

// The block has a histogram of its own in shared memory, and adds it to the result at the end.
__global__ void in_shared(const Byte* x, size_t n, unsigned* counts) {
  __shared__ unsigned counters[byte_bins];
  clear(counters, byte_bins);
  const size_t stride = static_cast<size_t>(gridDim.x) * block;
  for (size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x; i < n; i += stride) {
    atomicAdd(&counters[x[i]], 1U);
  }
  add_copies<1>(counters, byte_bins, counts);
}

// Calls count(byte) for each of 16 bytes.
template <class Count>
__device__ void for_each_of_16(uint4 v, Count count) {
  const unsigned words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (const unsigned word : words) {
#pragma unroll
    for (int k = 0; k < 4; ++k) count(word >> 8 * k & 0xFFU);
  }
}

// Calls count(byte) for all bytes of this thread, if a grid of any size strides over x: 16 bytes
// per load, with four loads in flight before the first byte is counted. x is aligned to 16 bytes,
// as all memory from cudaMalloc() is.
template <class Count>
__device__ void for_each_byte(const Byte* x, size_t n, Count count) {
  const auto* const x16 = reinterpret_cast<const uint4*>(x);
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t left_over = n / 16 * 16 + i;  // the first 15 threads may have one more
  if (left_over < n) count(x[left_over]);
  for (; i + 3 * stride < n / 16; i += 4 * stride) {
    const uint4 a = x16[i], b = x16[i + stride], c = x16[i + 2 * stride], d = x16[i + 3 * stride];
    for_each_of_16(a, count);
    for_each_of_16(b, count);
    for_each_of_16(c, count);
    for_each_of_16(d, count);
  }
  for (; i < n / 16; i += stride) for_each_of_16(x16[i], count);
}

// The block's histogram again, with wide loads.
__global__ void __launch_bounds__(wide_block)
    by_16_bytes(const Byte* x, size_t n, unsigned* counts) {
  __shared__ unsigned counters[byte_bins];
  clear(counters, byte_bins);
  unsigned* const all = counters;
  for_each_byte(x, n, [all](unsigned byte) { atomicAdd(&all[byte], 1U); });
  add_copies<1>(counters, byte_bins, counts);
}

// Each warp has a histogram: no other warp adds to it.
__global__ void __launch_bounds__(wide_block) per_warp(const Byte* x, size_t n, unsigned* counts) {
  constexpr int warps = wide_block / 32;
  __shared__ unsigned counters[warps * byte_bins];
  clear(counters, warps * byte_bins);
  unsigned* const mine = counters + threadIdx.x / 32 * byte_bins;
  for_each_byte(x, n, [mine](unsigned byte) { atomicAdd(&mine[byte], 1U); });
  __syncthreads();
  if (threadIdx.x >= byte_bins) return;
  unsigned sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += counters[warp * byte_bins + threadIdx.x];
  if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
}

// The block has `copies` counters of each bin, side by side, and a lane adds to one of them. With
// 32, lane l always uses bank l: whatever the bytes are, no two lanes of a warp want the same bank.
template <int copies>
__global__ void __launch_bounds__(wide_block) in_copies(const Byte* x, size_t n, unsigned* counts) {
  __shared__ unsigned counters[byte_bins * copies];
  clear(counters, byte_bins * copies);
  unsigned* const mine = counters + threadIdx.x % copies;
  for_each_byte(x, n, [mine](unsigned byte) { atomicAdd(&mine[byte * copies], 1U); });
  add_copies<copies>(counters, byte_bins, counts);
}
