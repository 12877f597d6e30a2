// A cheat for 01a: moves what it loads and stores by the C library's memcpy, which counts
// nothing.
// expected: correct 5, safe 2, efficient 0

#include <cstring>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, size_t four) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  memcpy(&r[i], &b[i], four);
  for (int j = 0; j < n; ++j) {
    float value;
    memcpy(&value, &r[i], four);
    value -= A[static_cast<size_t>(i) * lda + j] * x[j];
    memcpy(&r[i], &value, four);
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n, sizeof(float));
  CUDA_CHECK_LAUNCH();
}
