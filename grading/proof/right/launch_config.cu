// A right solution for 01a: launched by cudaLaunchKernelEx().
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = b[i];
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((m + 63) / 64);
  config.blockDim = dim3(64);
  CUDA_CHECK(cudaLaunchKernelEx(&config, residual, A, lda, x, b, r, m, n));
  CUDA_CHECK_LAUNCH();
}
