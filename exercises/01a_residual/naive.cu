// What exercise 01a is compared with on a GPU: the sum is kept in r, in memory.

#include "check.hpp"

__global__ void residual_in_memory(const float* A, int lda, const float* x, const float* b,
                                   float* r, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= A[static_cast<size_t>(i) * lda + j] * x[j];
}

void launch_naive(const float* A, int lda, const float* x, const float* b, float* r, int m, int n) {
  residual_in_memory<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
