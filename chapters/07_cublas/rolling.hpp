/// @file
/// Loads that roll: a thread always has some on their way. What all kernels of our best SGEMV do.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace ours {

/// Asks for pieces j, j + stride, ... before `last`, and uses them in this order, `ahead` of them
/// always on their way.
/// @param prefetch prefetch(k, j) asks for piece j, into place k; clear(k) leaves zeros there
/// @param consume consume(k) uses what is in place k
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
  if (j < last) {  // the rest, less than a round: all at once again
    for (int k = 0; k < ahead; ++k) {
      clear(k);
      if (j < last - k * stride) prefetch(k, j + k * stride);
    }
    for (int k = 0; k < ahead; ++k) consume(k);
  }
}

/// How many floats `address` lies behind a multiple of 16 bytes: 0 to 3.
inline __host__ __device__ int floats_behind_16_bytes(const float* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) / sizeof(float) % 4);
}

/// Whether all of `from[e]` to `from[e + 3]` are among the `count` elements that there are.
template <class Index>
__device__ bool four_are_there(Index e, Index count) {
  return 0 <= e && e <= count - 4;
}

/// Elements e to e + 3 of these `count`, one by one, and zeros for those that are not there.
template <class Index>
__device__ float4 those_of_four(const float* from, Index e, Index count) {
  const auto element = [&](Index i) { return 0 <= i && i < count ? from[i] : 0.0F; };
  return make_float4(element(e), element(e + 1), element(e + 2), element(e + 3));
}

/// The same by one load, where all four are there. `from + e` must be a multiple of 16 bytes; where
/// `from` is none, the first such load starts before it, at a negative e.
template <class Index>
__device__ float4 load_four(const float* from, Index e, Index count) {
  if (four_are_there(e, count)) return *reinterpret_cast<const float4*>(from + e);
  return those_of_four(from, e, count);
}

}  // namespace ours
