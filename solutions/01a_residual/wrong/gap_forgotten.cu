// caught by: correct: every bit at awkward shapes
// Rows are taken to lie n elements apart, as in chapter 01.

#include "check.hpp"

// r(i) = b(i) - sum over j of A(i, j) x(j).
// A is m x n, row-major, its rows lda >= n elements apart: A(i, j) is A[i * lda + j].
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;  // the last block may reach beyond the last row
  // In size_t: i * lda can be more than an int holds.
  const float* const row = A + static_cast<size_t>(i) * n;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

// All pointers are to device memory. m may be 0, and so may n: then r is b.
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  constexpr int block = 128;
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m + block - 1) / block;
  residual<<<grid, block>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
