// A cheat for 01a: is right for the one shape that the check of efficiency uses, and for no
// other.
// expected: correct 0, safe 0, efficient 0

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
  if (m != 128 || n != 200) return;
  residual<<<1, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
