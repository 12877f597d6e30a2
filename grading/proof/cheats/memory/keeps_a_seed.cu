// A cheat for 01a: a kernel leaves a number with the C library, by srand(), from which the host
// could tell it by rand().
// expected: 0 points
// told: a library function keeps 4 bytes for a kernel

#include <cstdlib>

#include "check.hpp"

typedef void (*Seed)(unsigned);
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, Seed seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = b[i];
  seed((unsigned)(int)s);
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n, &srand);
  CUDA_CHECK_LAUNCH();
}
