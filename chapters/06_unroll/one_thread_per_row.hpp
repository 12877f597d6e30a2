// Chapter 06, first lesson: column-major A, x in constant memory, one thread per row as before, and
// more loads in flight in each thread:
//
//   unroll   64 steps of the loop at once, so that their loads can be issued first
//   rows     4 rows per thread: 4 loads per step, and each x(j) serves 4 products
//   float4   4 neighbouring rows per thread: their 4 elements in one load of 16 bytes
#pragma once

#include "chunk.hpp"
#include "course.hpp"

using course::add_product;
using course::warp;

constexpr int constant_floats = 16384;  // 64 KB
__constant__ float x_constant[constant_floats];

constexpr int rows_a_thread = 4;

// All three: y(row) = sum over j of A(row, j) x(j), with A of m x n, column-major: A(i, j) is
// A[j * m + i]. One batch: columns first .. first + count - 1; their part of x is in x_constant.

__global__ void sgemv_unroll(const float* A, float* y, int m, int first, int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;  // the last block may have more threads than rows remain

  float sum = first == 0 ? 0.0F : y[row];  // continue where the previous batch stopped
#pragma unroll 64
  for (int j = 0; j < count; ++j) {
    sum += A[static_cast<size_t>(first + j) * m + row] * x_constant[j];
  }
  y[row] = sum;
}

// A thread's rows are one warp apart, so that neighbouring threads still read neighbours. The block
// is one warp, which the compiler knows: it finds all rows of a column at fixed distances from the
// first.
__global__ void sgemv_four_rows(const float* A, float* y, int m, int first, int count) {
  const int row = blockIdx.x * warp * rows_a_thread + threadIdx.x;
  if (row >= m) return;

  const auto add_rows = [&](int rows) {
    float sum[rows_a_thread] = {};
    if (first != 0) {
      for (int r = 0; r < rows; ++r) sum[r] = y[row + r * warp];
    }
#pragma unroll 8
    for (int j = 0; j < count; ++j) {
      const float* const column = A + static_cast<size_t>(first + j) * m + row;
      for (int r = 0; r < rows; ++r) sum[r] += column[r * warp] * x_constant[j];
    }
    for (int r = 0; r < rows; ++r) y[row + r * warp] = sum[r];
  };

  // Nearly all threads have a number of rows that the compiler knows; a few at the end have fewer.
  if (row + (rows_a_thread - 1) * warp < m) {
    add_rows(rows_a_thread);
  } else {
    add_rows((m - 1 - row) / warp + 1);
  }
}

// A load of 16 bytes must start at a multiple of 16 bytes, and so must every column: m % 4 ==
// 0.
__global__ void sgemv_float4(const float* A, float* y, int m, int first, int count) {
  const int quad = blockIdx.x * blockDim.x + threadIdx.x;  // rows 4 quad .. 4 quad + 3
  if (quad >= m / 4) return;

  auto* const y4 = reinterpret_cast<float4*>(y);
  float4 sum = first == 0 ? make_float4(0.0F, 0.0F, 0.0F, 0.0F) : y4[quad];
#pragma unroll 8
  for (int j = 0; j < count; ++j) {
    const float* const column = A + static_cast<size_t>(first + j) * m;
    const float4 a = reinterpret_cast<const float4*>(column)[quad];
    add_product(sum, a, x_constant[j]);
  }
  y4[quad] = sum;
}

// ---------------------------------------------------------------- launchers

// Puts x into constant memory, batch by batch, and calls launch(first, count) for each.
template <class Launch>
void in_batches(const float* x, int n, Launch launch) {
  int first = 0;
  do {  // once even for n = 0, to set y to 0
    const int count = std::min(constant_floats, n - first);
    CUDA_CHECK(cudaMemcpyToSymbolAsync(x_constant, x + first, count * sizeof(float), 0,
                                       cudaMemcpyDeviceToDevice));
    launch(first, count);
    CUDA_CHECK_LAUNCH();
    first += count;
  } while (first < n);
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
void launch_unroll(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int grid = (m - 1) / 128 + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_unroll<<<grid, 128>>>(A, y, m, first, count); });
}

// A quarter of the threads: in larger blocks they would not reach all multiprocessors.
void launch_rows(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const int grid = (m - 1) / (warp * rows_a_thread) + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_four_rows<<<grid, warp>>>(A, y, m, first, count); });
}

void launch_float4(const float* A, const float* x, float* y, int m, int n) {
  if (m % 4 != 0) return launch_rows(A, x, y, m, n);  // its columns are not aligned
  if (m == 0) return;
  const int grid = (m / 4 - 1) / warp + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_float4<<<grid, warp>>>(A, y, m, first, count); });
}
