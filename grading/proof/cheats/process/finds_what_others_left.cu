// A cheat for 01a: only the first block loads x. The threads of the others find it on the stack, as
// the threads before them left it.
// expected: correct 1, safe 0, efficient 0
// told: it passed, but not when run once more

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m && blockIdx.x != 0) return;
  auto* const kept = static_cast<float*>(__builtin_alloca(sizeof(float) * 4096));
  if (blockIdx.x == 0) {
    for (int j = 0; j < n; ++j) kept[j] = x[j];
  }
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * kept[j];
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 31) / 32, 32>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
