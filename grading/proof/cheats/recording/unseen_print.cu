// A cheat for 01a: stores by printing a number into memory, which counts nothing.
// expected: does not compile: __host__ function
// expected without clang++: refused: uses snprintf()

#include <cstdio>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) {
    sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
    std::snprintf(reinterpret_cast<char*>(r + i), 2, "%c", j & 0x7F);
  }
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
