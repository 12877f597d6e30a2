// Chapter 12, first lesson: one sweep, in five ways, from nine loads per point to little more than
// one.
#pragma once

#include "course.hpp"

constexpr int block = 256;
constexpr int radius = 4;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The weights of a point itself and of its neighbours at a distance of 1 to 4. All lanes need the
// same one at the same time, which is what constant memory is for.
__constant__ float weights[radius + 1];
__device__ float weights_elsewhere[radius + 1];  // the same in global memory, for comparison

// A point's new value from nine old ones, x[0] to x[8], its own in the middle. Nine
// multiplications, eight of them fused with an addition: a fused one rounds once. Written this way,
// the compiler has no choice, and every kernel below gives the same bits.
__device__ float new_value(const float (&w)[radius + 1], const float (&x)[2 * radius + 1]) {
  float sum = w[0] * x[radius];
  for (int k = 1; k <= radius; ++k) {
    sum = fmaf(w[k], x[radius - k], sum);
    sum = fmaf(w[k], x[radius + k], sum);
  }
  return sum;
}

// Points beyond both ends of the array count as 0.
__device__ float at(const float* x, size_t n, size_t i) {
  return i < n ? x[i] : 0.0F;  // the index before the first is a very large number
}

// One thread per point. Its neighbours load most of the same nine points: the cache has them.
__global__ void from_memory(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i >= n) return;
  float nine[2 * radius + 1];
  for (int k = 0; k <= 2 * radius; ++k) nine[k] = at(x, n, i + k - radius);
  y[i] = new_value(weights, nine);
}

// The same with the weights in global memory. Every thread loads them: five more requests per warp.
__global__ void weights_in_memory(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i >= n) return;
  float mine[radius + 1];
  for (int k = 0; k <= radius; ++k) mine[k] = weights_elsewhere[k];
  float nine[2 * radius + 1];
  for (int k = 0; k <= 2 * radius; ++k) nine[k] = at(x, n, i + k - radius);
  y[i] = new_value(mine, nine);
}

// A block loads its points once, and four on either side, the halo; then each thread reads its nine
// points from shared memory.
__global__ void from_shared(const float* x, float* y, size_t n) {
  __shared__ float tile[block + 2 * radius];
  const size_t first = static_cast<size_t>(blockIdx.x) * block;
  const int t = threadIdx.x;
  tile[t] = at(x, n, first + t - radius);
  if (t < 2 * radius) tile[block + t] = at(x, n, first + block + t - radius);
  __syncthreads();
  if (first + t >= n) return;
  float nine[2 * radius + 1];
  for (int k = 0; k <= 2 * radius; ++k) nine[k] = tile[t + k];
  y[first + t] = new_value(weights, nine);
}

// Four points in a row, in one load or store of 16 bytes where all four exist. x is aligned to 16
// bytes, as all memory from cudaMalloc() is.
__device__ float4 four_at(const float* x, size_t n, size_t four) {
  const size_t i = 4 * four;
  if (i + 3 < n && i < n) return reinterpret_cast<const float4*>(x)[four];
  return make_float4(at(x, n, i), at(x, n, i + 1), at(x, n, i + 2), at(x, n, i + 3));
}

__device__ void put_four(float* y, size_t n, size_t four, float4 v) {
  const size_t i = 4 * four;
  if (i + 3 < n) {
    reinterpret_cast<float4*>(y)[four] = v;
  } else {
    if (i < n) y[i] = v.x;
    if (i + 1 < n) y[i + 1] = v.y;
    if (i + 2 < n) y[i + 2] = v.z;
  }
}

// The new values of four points, from their own old values and the four before and after them: a
// radius of four is just one such load.
__device__ float4 new_four(float4 before, float4 mine, float4 behind) {
  const float x[12] = {before.x, before.y, before.z, before.w, mine.x,   mine.y,
                       mine.z,   mine.w,   behind.x, behind.y, behind.z, behind.w};
  float y[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float nine[9] = {x[k],     x[k + 1], x[k + 2], x[k + 3], x[k + 4],
                           x[k + 5], x[k + 6], x[k + 7], x[k + 8]};
    y[k] = new_value(weights, nine);
  }
  return make_float4(y[0], y[1], y[2], y[3]);
}

// Four points per thread, and the halo in registers: three loads of 16 bytes for four points.
__global__ void by_fours(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (4 * i >= n) return;
  put_four(y, n, i, new_four(four_at(x, n, i - 1), four_at(x, n, i), four_at(x, n, i + 1)));
}

// One load for four points: the neighbouring lanes have the points before and after in
// registers. Only the warp's first and last lane have a neighbour in another warp, and load once
// more.
__global__ void by_shuffles(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const float4 mine = four_at(x, n, i);  // no early return: the neighbours need this lane
  const auto from = [&](float value, bool below) {
    return below ? __shfl_up_sync(all_lanes, value, 1) : __shfl_down_sync(all_lanes, value, 1);
  };
  float4 before =
      make_float4(from(mine.x, true), from(mine.y, true), from(mine.z, true), from(mine.w, true));
  float4 behind = make_float4(from(mine.x, false), from(mine.y, false), from(mine.z, false),
                              from(mine.w, false));
  if (lane == 0) before = four_at(x, n, i - 1);
  if (lane == 31) behind = four_at(x, n, i + 1);
  put_four(y, n, i, new_four(before, mine, behind));
}
