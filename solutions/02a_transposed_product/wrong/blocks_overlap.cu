// caught by: efficient: the lanes of a warp read neighbours
// A block starts 128 columns after the one before instead of 1024: nearly every column is computed
// by several blocks, which all write the same value.

#include "check.hpp"

constexpr int block = 128;           // threads a block
constexpr int columns_a_thread = 8;  // so a block takes care of 1024 columns

// y(j) = sum over i of A(i, j) x(i).
// A is m x n, row-major: A(i, j) is A[i * n + j]. x has m elements, y has n.
__global__ void transposed_product(const float* A, const float* x, float* y, int m, int n) {
  const int first = blockIdx.x * block + threadIdx.x;
  if (first >= n) return;  // not one column left for this thread

  float sum[columns_a_thread] = {};  // in registers, once the loops over it are unrolled
  for (int i = 0; i < m; ++i) {
    // In size_t: i * n can be more than an int holds.
    const float* const row = A + static_cast<size_t>(i) * n;
    const float x_i = x[i];  // once for eight columns
    for (int k = 0; k < columns_a_thread; ++k) {
      const int j = first + k * block;  // the next lane's is j + 1
      if (j < n) sum[k] += row[j] * x_i;
    }
  }
  for (int k = 0; k < columns_a_thread; ++k) {
    const int j = first + k * block;
    if (j < n) y[j] = sum[k];
  }
}

// All pointers are to device memory. n may be 0, and so may m: then y is 0.
void launch_transposed_product(const float* A, const float* x, float* y, int m, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  const int grid = (n + block - 1) / block;
  transposed_product<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}
