// Chapter 24, second lesson: counters of one byte that belong to one thread. No atomics.
#pragma once

#include "bytes.hpp"

// 256 counters of a byte for each of 256 threads are 64 KiB.
constexpr int private_threads = 256;
constexpr int private_bytes = private_threads * byte_bins;
constexpr int rounds = 15;  // of 16 bytes: 240, which a counter of a byte can hold
constexpr int rows = byte_bins / 4;

// A row has a word for each thread; the word is the thread's counters of four neighbouring bins. So
// thread t always uses bank t mod 32.
__device__ inline Byte& counter_of(unsigned* counters, unsigned bin) {
  return reinterpret_cast<Byte*>(counters)[(bin / 4 * private_threads + threadIdx.x) * 4 + bin % 4];
}

// Adds the block's counters to `sums` and sets them to 0. Four threads share a row: each adds up 64
// of its words, for the row's four bins. 64 times 255 fits in 16 bits, so each addition adds two
// counters. The eight rows of a warp begin at different words: 32 lanes, 32 banks.
__device__ inline void drain(unsigned* counters, unsigned (&sums)[4]) {
  const int row = threadIdx.x / 4;
  unsigned even = 0, odd = 0;
#pragma unroll 8
  for (int k = 0; k < 64; ++k) {
    unsigned& word = counters[row * private_threads + (k + row) % 64 * 4 + threadIdx.x % 4];
    even += word & 0x00FF00FFU;
    odd += word >> 8 & 0x00FF00FFU;
    word = 0;
  }
  sums[0] += even & 0xFFFFU;
  sums[1] += odd & 0xFFFFU;
  sums[2] += even >> 16;
  sums[3] += odd >> 16;
}

// Only this thread uses its counters, so it adds to them with a load and a store. Before one of
// them can reach 256, the block adds all of them up.
__global__ void __launch_bounds__(private_threads)
    in_private(const Byte* x, size_t n, unsigned* counts) {
  extern __shared__ unsigned private_counters[];
  unsigned* const counters = private_counters;
  clear(counters, rows * private_threads);
  unsigned sums[4] = {};
  const auto count = [counters](unsigned byte) { ++counter_of(counters, byte); };
  const auto* const x16 = reinterpret_cast<const uint4*>(x);
  constexpr size_t chunk = rounds * private_threads;  // of 16 bytes
  for (size_t first = blockIdx.x * chunk; first < n / 16; first += gridDim.x * chunk) {
    const size_t end = min(n / 16, first + chunk);
    for (size_t i = first + threadIdx.x; i < end; i += private_threads)
      for_each_of_16(x16[i], count);
    __syncthreads();
    drain(counters, sums);
    __syncthreads();
  }
  const size_t left_over = n / 16 * 16 + threadIdx.x;  // at most 15 bytes, for the first block
  if (blockIdx.x == 0 && left_over < n) atomicAdd(&counts[x[left_over]], 1U);
  for (int k = 0; k < 4; ++k) {
    sums[k] += __shfl_xor_sync(all_lanes, sums[k], 1);
    sums[k] += __shfl_xor_sync(all_lanes, sums[k], 2);
    if (threadIdx.x % 4 == 0 && sums[k] != 0) atomicAdd(&counts[threadIdx.x + k], sums[k]);
  }
}
