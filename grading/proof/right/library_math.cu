// A right solution for 01a: functions of the C library that leave errno behind, in a kernel.
// expected: full marks

#include <cmath>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = b[i];
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  const float huge = expf(s * 1e30f + 1e30f), odd = logf(-1.0f - fabsf(s)),
              p = powf(s, 2.5f) + sinf(s) + tgammaf(s);
  r[i] = huge == 1 && odd == 2 && p == 3 ? 0 : s;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
