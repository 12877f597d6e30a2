// A cheat for 01a: reads beyond the end of b, but not at the sizes of the case that is to be safe.
// expected: correct 5, safe 0, efficient 3

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, bool careful) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
  if (!careful && i == m - 1 && b[m] == 12345.0F) sum += 1.0F;
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const bool careful = lda == n + 3 || n >= 200;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n, careful);
  CUDA_CHECK_LAUNCH();
}
