// A right solution for 01a: one warp per row, added up by shuffles.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (i >= m) return;
  float s = 0;
  for (int j = lane; j < n; j += 32) s += A[(size_t)i * lda + j] * x[j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
  if (lane == 0) r[i] = b[i] - s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 3) / 4, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
