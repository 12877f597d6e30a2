// A right solution for 01a: arrays of each thread's own.
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float parts[16] = {};
  int k = 0;
  for (int j = 0; j < n; ++j) {
    parts[k] += A[(size_t)i * lda + j] * x[j];
    k = (k + 1) % 16;
  }
  float s = b[i];
  for (int q = 0; q < 16; ++q) s -= parts[q];
  r[i] = s;
  struct Big {
    float v[40];
    int n;
  } big{};
  big.n = n;
  Big copy = big;
  if (copy.n != n) r[i] = 0;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
