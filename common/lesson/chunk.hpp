/// @file
/// What a lane of a warp fetches with one load: a float, or a float4 where addresses allow that.
/// Kernels are templates over it from chapter 06 on.
#pragma once

#include <cuda_runtime.h>

namespace course {

/// Lanes per warp.
inline constexpr int warp = 32;

/// Floats in a chunk: 1 or 4.
template <class Chunk>
constexpr int chunk_floats = sizeof(Chunk) / sizeof(float);

/// The sum of the products of a chunk's elements.
inline __device__ float dot(float a, float x) {
  return a * x;
}
inline __device__ float dot(float4 a, float4 x) {
  return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
}

/// sum += a x, element by element.
inline __device__ void add_product(float& sum, float a, float x) {
  sum += a * x;
}
inline __device__ void add_product(float4& sum, float4 a, float x) {
  sum.x += a.x * x;
  sum.y += a.y * x;
  sum.z += a.z * x;
  sum.w += a.w * x;
}

/// Calls launch(chunk) with a chunk of the type that fits rows, or columns, of this length. All of
/// them start at a multiple of 16 bytes if the first does and the length is a multiple of 4.
template <class Launch>
void with_chunk(int length, Launch launch) {
  if (length % 4 == 0) {
    launch(float4{});
  } else {
    launch(float{});
  }
}

}  // namespace course
