/// @file
/// Rolling loads: a thread always has some loads in flight. All kernels of our best SGEMV do this.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace ours {

/// Loads pieces j, j + stride, ... before `last`, and uses them in this order, with `ahead` of them
/// always in flight.
/// @param prefetch prefetch(k, j) loads piece j into slot k; clear(k) writes zeros there
/// @param consume consume(k) uses the piece in slot k
template <int ahead, class Prefetch, class Clear, class Consume>
__device__ void roll(int j, int last, int stride, Prefetch prefetch, Clear clear, Consume consume) {
  const int last_round = last - (ahead - 1) * stride;
  if (j < last_round) {
    for (int k = 0; k < ahead; ++k) prefetch(k, j + k * stride);
    for (j += ahead * stride; j < last_round; j += ahead * stride) {
      for (int k = 0; k < ahead; ++k) {
        consume(k);
        prefetch(k, j + k * stride);
      }
    }
    for (int k = 0; k < ahead; ++k) consume(k);
  }
  if (j < last) {  // the rest, less than a round: again all at once
    for (int k = 0; k < ahead; ++k) {
      clear(k);
      if (j < last - k * stride) prefetch(k, j + k * stride);
    }
    for (int k = 0; k < ahead; ++k) consume(k);
  }
}

/// How many floats `address` is past a multiple of 16 bytes: 0 to 3.
inline __host__ __device__ int floats_behind_16_bytes(const float* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) / sizeof(float) % 4);
}

/// Whether `from[e]` to `from[e + 3]` are all among the `count` elements.
template <class Index>
__device__ bool four_are_there(Index e, Index count) {
  return 0 <= e && e <= count - 4;
}

/// Elements e to e + 3 of these `count`, one by one, and zeros for those out of bounds.
template <class Index>
__device__ float4 those_of_four(const float* from, Index e, Index count) {
  const auto element = [&](Index i) { return 0 <= i && i < count ? from[i] : 0.0F; };
  return make_float4(element(e), element(e + 1), element(e + 2), element(e + 3));
}

/// The same by one load, where all four exist. `from + e` must be a multiple of 16 bytes; if `from`
/// is not, the first such load starts before it, at a negative e.
template <class Index>
__device__ float4 load_four(const float* from, Index e, Index count) {
  if (four_are_there(e, count)) return *reinterpret_cast<const float4*>(from + e);
  return those_of_four(from, e, count);
}

}  // namespace ours
