// A cheat for 01a: is right, but computes twice: the first time for nothing.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
