// A right solution for 01a: loads by __ldg(), products by __fmaf_rn().
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = __ldg(&b[i]);
  for (int j = 0; j < n; ++j) s = __fmaf_rn(-__ldg(&A[(size_t)i * lda + j]), __ldg(x + j), s);
  r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
