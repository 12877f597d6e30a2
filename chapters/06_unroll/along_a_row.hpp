// Chapter 06, third lesson: row-major A, several threads per row, neighbouring threads reading
// neighbouring elements of it:
//
//   warp per row           32 threads, a float at a time, partial sums added up by shuffles
//   warp per row, float4   16 bytes at a time
//   block per row          256 threads, each with 4 loads of 16 bytes in flight
//
// The kernels are templates over what one load fetches, a Chunk: a float, or a float4 where
// addresses are aligned for it.
#pragma once

#include "chunk.hpp"
#include "course.hpp"

using course::chunk_floats;
using course::dot;
using course::warp;
using course::with_chunk;

// The sum of a value over the lanes of a warp: 16 pairs, then 8, 4, 2, 1.
__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  return value;
}

// y = A x with A(i, j) = A[i * n + j]. Each warp has one row; lane l takes the row's chunks l, l +
// 32, ...
template <class Chunk>
__global__ void sgemv_warp_a_row(const float* A, const float* x, float* y, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  const int lane = threadIdx.x % warp;
  if (row >= m) return;  // the whole warp: no lane is missing from the shuffles

  const auto* const a = reinterpret_cast<const Chunk*>(A + static_cast<size_t>(row) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  float sum = 0.0F;
#pragma unroll 8
  for (int j = lane; j < n / chunk_floats<Chunk>; j += warp) sum += dot(a[j], x_chunks[j]);
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// The same with one block per row; the warps' sums are added up in shared memory.
constexpr int row_block = 256;
template <class Chunk>
__global__ void __launch_bounds__(row_block)
    sgemv_block_a_row(const float* A, const float* x, float* y, int n) {
  const int row = blockIdx.x;
  const auto* const a = reinterpret_cast<const Chunk*>(A + static_cast<size_t>(row) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  const int chunks = n / chunk_floats<Chunk>;

  float sum = 0.0F;
  int j = threadIdx.x;
  for (; j < chunks - 3 * row_block; j += 4 * row_block) {
    Chunk a_ahead[4];  // all loads are issued before any value is used
    Chunk x_ahead[4];
    for (int k = 0; k < 4; ++k) a_ahead[k] = a[j + k * row_block];
    for (int k = 0; k < 4; ++k) x_ahead[k] = x_chunks[j + k * row_block];
    for (int k = 0; k < 4; ++k) sum += dot(a_ahead[k], x_ahead[k]);
  }
  for (; j < chunks; j += row_block) sum += dot(a[j], x_chunks[j]);

  __shared__ float partial[row_block / warp];
  sum = warp_sum(sum);
  if (threadIdx.x % warp == 0) partial[threadIdx.x / warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < row_block / warp; ++w) sum += partial[w];
    y[row] = sum;
  }
}

// ---------------------------------------------------------------- launchers

void launch_warp_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  sgemv_warp_a_row<float><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

void launch_warp_a_row_float4(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  with_chunk(n, [&](auto chunk) {
    sgemv_warp_a_row<decltype(chunk)><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  });
  CUDA_CHECK_LAUNCH();
}

void launch_block_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  with_chunk(n,
             [&](auto chunk) { sgemv_block_a_row<decltype(chunk)><<<m, row_block>>>(A, x, y, n); });
  CUDA_CHECK_LAUNCH();
}
