/// @file
/// Chapter 30: all-reduce in one kernel per device. All devices add in the order of their numbers,
/// so all get the same bits.
#pragma once

#include "flags.hpp"

namespace gpus {

inline constexpr int block = 512;

__device__ inline float4 sum_of(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/// Elements of n that are no full float4: each device adds them up for itself.
template <int devices>
__device__ void add_rest(const Peers& peers, int me, std::size_t n) {
  const std::size_t i = n / 4 * 4 + threadIdx.x;
  if (blockIdx.x > 0 || i >= n) return;
  float sum = peers.in[0][i];
  for (int peer = 1; peer < devices; ++peer) sum += peers.in[peer][i];
  peers.out[me][i] = sum;
}

/// Gives put(i, sum) the sums of all devices' float4 number i, from first to end. A thread has
/// several loads in flight, of each device.
template <int devices, class Put>
__device__ void add_up(const Peers& peers, std::size_t first, std::size_t end, Put put) {
  constexpr int ahead = devices <= 2 ? 4 : devices <= 4 ? 2 : 1;
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * block;
  std::size_t i = first + static_cast<std::size_t>(blockIdx.x) * block + threadIdx.x;
  for (; i < end; i += ahead * threads) {
    float4 terms[devices][ahead] = {};
#pragma unroll
    for (int peer = 0; peer < devices; ++peer) {
      const auto* const in = reinterpret_cast<const float4*>(peers.in[peer]);
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        if (i + k * threads < end) terms[peer][k] = in[i + k * threads];
      }
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      if (i + k * threads >= end) break;
      float4 sum = terms[0][k];
#pragma unroll
      for (int peer = 1; peer < devices; ++peer) sum = sum_of(sum, terms[peer][k]);
      put(i + k * threads, sum);
    }
  }
}

/// The next number of a meeting, which a device keeps for each block. All threads get it.
__device__ inline unsigned next_round(unsigned* rounds, unsigned meetings) {
  __shared__ unsigned number;
  if (threadIdx.x == 0) {
    number = rounds[blockIdx.x];
    rounds[blockIdx.x] = number + meetings;
  }
  __syncthreads();
  return number;
}

/// One-shot: each device reads everything that the others bring, and adds all of it up.
template <int devices>
__global__ void __launch_bounds__(block)
    one_shot(Peers peers, int me, unsigned* rounds, std::size_t n) {
  const unsigned number = next_round(rounds, 2);
  meet<devices>(peers, me, number + 1);  // all bring theirs
  auto* const out = reinterpret_cast<float4*>(peers.out[me]);
  add_up<devices>(peers, 0, n / 4, [=](std::size_t i, float4 sum) { out[i] = sum; });
  add_rest<devices>(peers, me, n);
  meet<devices>(peers, me, number + 2);  // all have been read
}

/// Two-shot: each device adds up its part, and writes the sums to all.
template <int devices>
__global__ void __launch_bounds__(block)
    two_shot(Peers peers, int me, unsigned* rounds, std::size_t n) {
  const unsigned number = next_round(rounds, 2);
  meet<devices>(peers, me, number + 1);
  const std::size_t first = n / 4 * me / devices;
  const std::size_t end = n / 4 * (me + 1) / devices;
  add_up<devices>(peers, first, end, [=](std::size_t i, float4 sum) {
#pragma unroll
    for (int k = 0; k < devices; ++k) {  // each device begins with the one after it
      const int peer = (me + 1 + k) % devices;
      reinterpret_cast<float4*>(peers.out[peer])[i] = sum;
    }
  });
  add_rest<devices>(peers, me, n);
  meet<devices>(peers, me, number + 2);  // all sums are there
}

/// Elements that a block takes in by_words(), and the largest n for it.
inline constexpr int words_of_block = 2 * block;
inline constexpr std::size_t most_words = std::size_t{most_blocks / 2} * words_of_block;

__device__ inline unsigned long long word_of(float value, unsigned tag) {
  return static_cast<unsigned long long>(tag) << 32 | __float_as_uint(value);
}

/// One-shot, with a flag beside each number: both are one word of 8 bytes, which is written and
/// read at once. Nobody waits before it writes. There are two sets of words, used by turns: a
/// device that writes a set again has seen all others' words of the set in between, which they
/// wrote after they had read this one. To prove that order, one word of each block is a release and
/// an acquire; the others are relaxed.
template <int devices>
__global__ void __launch_bounds__(block)
    by_words(Peers peers, int me, unsigned* rounds, std::size_t n) {
  using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;
  const unsigned tag = next_round(rounds, 1) + 1;
  const std::size_t set = (tag & 1U) * devices * peers.words_of_device;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * words_of_block + threadIdx.x;
  float own[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const std::size_t i = first + k * block;
    if (i >= n) break;
    own[k] = peers.in[me][i];
#pragma unroll
    for (int peer = 0; peer < devices; ++peer) {
      if (peer == me) continue;
      const Word word(peers.words[peer][set + me * peers.words_of_device + i]);
      if (threadIdx.x + k == 0) {
        word.store(word_of(own[k], tag), cuda::memory_order_release);
      } else {
        word.store(word_of(own[k], tag), cuda::memory_order_relaxed);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const std::size_t i = first + k * block;
    if (i >= n) break;
    float sum = 0;
#pragma unroll
    for (int peer = 0; peer < devices; ++peer) {
      float term = own[k];
      if (peer != me) {
        const Word word(peers.words[me][set + peer * peers.words_of_device + i]);
        unsigned long long got = 0;
        do {
          got = word.load(cuda::memory_order_relaxed);
        } while (static_cast<unsigned>(got >> 32) != tag);
        if (threadIdx.x + k == 0) {
          cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
        }
        term = __uint_as_float(static_cast<unsigned>(got));
      }
      sum = peer == 0 ? term : sum + term;
    }
    peers.out[me][i] = sum;
  }
}

/// to = a + b: a step of the ring.
__global__ void add(const float* a, const float* b, float* to, std::size_t n) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    to[i] = a[i] + b[i];
  }
}

}  // namespace gpus
