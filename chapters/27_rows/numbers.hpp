/// @file
/// Chapter 27: floats and BF16 in chunks of 16 bytes, and the exponential function.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstring>

namespace rows {

using Bf16 = __nv_bfloat16;

/// What one lane loads or stores at a time.
using Chunk = uint4;
template <class T>
constexpr int per_chunk = sizeof(Chunk) / sizeof(T);

inline __device__ float as_float(float x) {
  return x;
}
inline __device__ float as_float(Bf16 x) {
  return __bfloat162float(x);
}

/// A chunk's numbers as floats. A number of BF16 is the upper half of a float.
inline __device__ void unpack(const Chunk& chunk, float (&x)[4]) {
  x[0] = __uint_as_float(chunk.x);
  x[1] = __uint_as_float(chunk.y);
  x[2] = __uint_as_float(chunk.z);
  x[3] = __uint_as_float(chunk.w);
}
inline __device__ void unpack(const Chunk& chunk, float (&x)[8]) {
  const unsigned pairs[] = {chunk.x, chunk.y, chunk.z, chunk.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    x[2 * k] = __uint_as_float(pairs[k] << 16);
    x[2 * k + 1] = __uint_as_float(pairs[k] & 0xFFFF0000U);
  }
}

inline __device__ Chunk pack(const float (&x)[4]) {
  return {__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]),
          __float_as_uint(x[3])};
}
inline __device__ unsigned rounded_pair(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  unsigned bits = 0;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}
inline __device__ Chunk pack(const float (&x)[8]) {
  return {rounded_pair(x[0], x[1]), rounded_pair(x[2], x[3]), rounded_pair(x[4], x[5]),
          rounded_pair(x[6], x[7])};
}

/// For the compiler the result may be other bits: so it does not keep floats that it has made of
/// the chunk before, for which there may be too few registers.
inline __device__ Chunk forget_floats(Chunk chunk) {
  asm volatile("" : "+r"(chunk.x), "+r"(chunk.y), "+r"(chunk.z), "+r"(chunk.w));
  return chunk;
}

/// A float as T holds it.
template <class T>
__device__ T rounded(float x) {
  return static_cast<T>(x);
}

constexpr float log2_e = 1.44269504F;

/// 2^x, by the one instruction that a GPU has for exponentials.
inline __device__ float ex2(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Powers of e, in two ways. exp() is e^(x - from); where `from` is minus infinity, so are all x,
/// and the power is 0. ratio() turns a power relative to one maximum into one relative to a larger
/// one.
struct ByExpf {
  static __device__ float exp(float x, float from) {
    return from == -INFINITY ? expf(x) : expf(x - from);
  }
  static __device__ float ratio(float from, float to) {
    return from == -INFINITY ? 0.0F : expf(from - to);
  }
};
/// One multiply-add and one ex2. The product from * log2_e is rounded, but in exp() and ratio()
/// alike, so the error cancels out. (__fmul_rn: the compiler must not fuse this product.)
struct ByEx2 {
  static __device__ float exp(float x, float from) { return ex2(fmaf(x, log2_e, -binary(from))); }
  static __device__ float ratio(float from, float to) {
    return from == -INFINITY ? 0.0F : ex2(binary(from) - binary(to));
  }

 private:
  static __device__ float binary(float from) {
    return from == -INFINITY ? 0.0F : __fmul_rn(from, log2_e);
  }
};

/// The sum, or the maximum, of a warp's lanes, for all of them.
inline __device__ float warp_sum(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(0xFFFFFFFFU, x, distance);
  }
  return x;
}
inline __device__ float warp_max(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, distance));
  }
  return x;
}

}  // namespace rows
