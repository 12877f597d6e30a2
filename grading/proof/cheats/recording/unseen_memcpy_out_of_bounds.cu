// A cheat for 01a: reads and writes beyond the arrays by the C library's memcpy, which checks
// nothing.
// expected: 0 points

#include <cstring>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, size_t four) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; i < m && j < n; ++j) sum += row[j] * x[j];
  float value;
  memcpy(&value, &b[i], four);
  value -= sum;
  memcpy(&r[i], &value, four);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n, sizeof(float));
  CUDA_CHECK_LAUNCH();
}
