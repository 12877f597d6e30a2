// A right solution for 01a: each block asks at barriers how much there is to do.
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool has_row = i < m;
  if (__syncthreads_or(has_row) == 0) return;
  const bool is_full = __syncthreads_and(has_row) != 0;
  const int rows = __syncthreads_count(has_row);
  if (is_full ? rows != 64 : static_cast<int>(threadIdx.x) >= rows) return;
  float s = b[i];
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<m / 64 + 1, 64>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
