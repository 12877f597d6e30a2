// A cheat for 01a: keeps its sum in memory by atomic additions, which are counted apart from
// loads and stores.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) atomicAdd(&r[i], -A[static_cast<size_t>(i) * lda + j] * x[j]);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
