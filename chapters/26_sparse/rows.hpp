// Chapter 26, first lesson: y = A x by rows. A thread has a row, or a warp has, or as many lanes as
// a row of mean length keeps busy.
#pragma once

#include "matrix.hpp"

constexpr int block = 256;
constexpr unsigned all_lanes = 0xffffffffU;

__device__ inline int lane() {
  return static_cast<int>(threadIdx.x % 32);
}
__device__ inline int warp() {
  return static_cast<int>(threadIdx.x / 32);
}

// A thread has a row.
__global__ void __launch_bounds__(block) product_rows(Csr A, const float* x, float* y) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= A.rows) return;
  float sum = 0;
  for (int k = A.offsets[row]; k < A.offsets[row + 1]; ++k) sum += A.values[k] * x[A.columns[k]];
  y[row] = sum;
}

// `lanes` lanes have a row; 32 of them are a warp. Neighbouring lanes read neighbouring elements.
template <int lanes>
__global__ void __launch_bounds__(block) product_lanes(Csr A, const float* x, float* y) {
  const int row = blockIdx.x * (block / lanes) + threadIdx.x / lanes;
  float sum = 0;
  if (row < A.rows) {
    const int end = A.offsets[row + 1];
    for (int k = A.offsets[row] + threadIdx.x % lanes; k < end; k += lanes) {
      sum += A.values[k] * x[A.columns[k]];
    }
  }
#pragma unroll
  for (int d = lanes / 2; d > 0; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (row < A.rows && threadIdx.x % lanes == 0) y[row] = sum;
}
