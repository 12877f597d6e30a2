// caught by: efficient: the lanes of a warp read neighbours
// Right and coalesced, but the sums are kept in y: loaded and stored for every row.

#include "check.hpp"

constexpr int block = 128;           // threads a block
constexpr int columns_a_thread = 8;  // so a block takes care of 1024 columns

// y(j) = sum over i of A(i, j) x(i).
// A is m x n, row-major: A(i, j) is A[i * n + j]. x has m elements, y has n.
__global__ void transposed_product(const float* A, const float* x, float* y, int m, int n) {
  const int first = blockIdx.x * columns_a_thread * block + threadIdx.x;
  if (first >= n) return;  // not one column left for this thread

  for (int k = 0; k < columns_a_thread; ++k) {
    if (first + k * block < n) y[first + k * block] = 0.0F;
  }
  for (int i = 0; i < m; ++i) {
    // In size_t: i * n can be more than an int holds.
    const float* const row = A + static_cast<size_t>(i) * n;
    const float x_i = x[i];  // once for eight columns
    for (int k = 0; k < columns_a_thread; ++k) {
      const int j = first + k * block;  // the next lane's is j + 1
      if (j < n) y[j] += row[j] * x_i;
    }
  }
}

// All pointers are to device memory. n may be 0, and so may m: then y is 0.
void launch_transposed_product(const float* A, const float* x, float* y, int m, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int columns_a_block = block * columns_a_thread;
  const int grid = (n + columns_a_block - 1) / columns_a_block;
  transposed_product<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}
