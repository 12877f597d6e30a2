// A right solution for 01a: a function that calls itself, and a lambda.
// expected: full marks

#include "check.hpp"
__device__ float down(const float* a, const float* x, int n) {
  return n == 0   ? 0.f
         : n == 1 ? a[0] * x[0]
                  : down(a, x, n / 2) + down(a + n / 2, x + n / 2, n - n / 2);
}
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  auto put = [&](float v) { r[i] = v; };
  put(b[i] - down(A + (size_t)i * lda, x, n));
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
