// Chapter 25, second lesson: a comparison network. Which keys meet in which step does not depend on
// the keys: no branch, and the accesses to shared memory can be laid out in advance.
#pragma once

#include "keys.hpp"

constexpr unsigned all_lanes = 0xFFFFFFFF;

__device__ inline int lane() {
  return static_cast<int>(threadIdx.x % 32);
}
__device__ inline int warp() {
  return static_cast<int>(threadIdx.x / 32);
}

// The key of `mine` and `other` that belongs at place i of a bitonic network, if the other is
// `distance` places away and the sequence being made sorted has `size` keys. Every second sequence
// is sorted downwards, so that two in a row rise and then fall: they are bitonic.
template <class Bits>
__device__ Bits compared(Bits mine, Bits other, unsigned i, unsigned size, unsigned distance) {
  const bool upwards = (i & size) == 0, first = (i & distance) == 0;
  return upwards == first ? min(mine, other) : max(mine, other);
}

// Sorts 32 keys, one per lane: 15 steps of one shuffle and one comparison.
template <class Bits>
__device__ Bits sort_in_warp(Bits bits) {
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const Bits other = __shfl_xor_sync(all_lanes, bits, distance);
      bits = compared(bits, other, lane(), size, distance);
    }
  }
  return bits;
}

// One step of a block's network. Thread t has the keys t, threads + t, 2 * threads + t, ... So
// partners are in one thread, or in one warp, or in two warps whose lanes have the same numbers:
// the 32 lanes of a warp then read 32 words in a row.
template <int threads, int items, class Bits>
__device__ void network_step(Bits (&bits)[items], Bits* exchange, unsigned size, int distance) {
  if (distance >= threads) {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const int other = k ^ distance / threads;
      if (k > other) continue;
      const unsigned i = k * threads + threadIdx.x;
      const Bits a = bits[k], b = bits[other];
      bits[k] = compared(a, b, i, size, distance);
      bits[other] = compared(b, a, i + distance, size, distance);
    }
  } else if (distance >= 32) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items; ++k) exchange[k * threads + threadIdx.x] = bits[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const unsigned i = k * threads + threadIdx.x;
      bits[k] = compared(bits[k], exchange[i ^ distance], i, size, distance);
    }
  } else {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const Bits other = __shfl_xor_sync(all_lanes, bits[k], distance);
      bits[k] = compared(bits[k], other, k * threads + threadIdx.x, size, distance);
    }
  }
}

// Sorts threads * items keys; both are powers of two. `exchange` has room for all of them.
template <int threads, int items, class Bits>
__device__ void sort_by_network(Bits (&bits)[items], Bits* exchange) {
#pragma unroll
  for (int size = 2; size <= threads * items; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      network_step<threads>(bits, exchange, size, distance);
    }
  }
}

// Sorts every 32 keys of an array by themselves. Lanes beyond the end hold the greatest key.
constexpr int network_threads = 256;
template <class Order>
__global__ void __launch_bounds__(network_threads)
    sort_warps(const typename Order::Key* keys, typename Order::Key* sorted, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * network_threads + threadIdx.x;
  const auto bits = i < n ? Order::bits(keys[i]) : ~typename Order::Bits{0};
  const auto in_order = sort_in_warp(bits);
  if (i < n) sorted[i] = Order::key(in_order);
}

// Sorts every `run` keys of an array by themselves.
constexpr int run_items = 8, run = network_threads * run_items;
template <class Order>
__global__ void __launch_bounds__(network_threads)
    sort_blocks(const typename Order::Key* keys, typename Order::Key* sorted, size_t n) {
  __shared__ typename Order::Bits exchange[run];
  typename Order::Bits bits[run_items];
  const size_t first = static_cast<size_t>(blockIdx.x) * run + threadIdx.x;
#pragma unroll
  for (int k = 0; k < run_items; ++k) {
    const size_t i = first + k * network_threads;
    bits[k] = i < n ? Order::bits(keys[i]) : ~typename Order::Bits{0};
  }
  sort_by_network<network_threads>(bits, exchange);
#pragma unroll
  for (int k = 0; k < run_items; ++k) {
    const size_t i = first + k * network_threads;
    if (i < n) sorted[i] = Order::key(bits[k]);
  }
}
