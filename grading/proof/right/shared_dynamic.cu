// A right solution for 01a: x comes by way of dynamic shared memory.
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  extern __shared__ float part[];
  float s = i < m ? b[i] : 0.f;
  for (int f = 0; f < n; f += 128) {
    if (f + threadIdx.x < n) part[threadIdx.x] = x[f + threadIdx.x];
    __syncthreads();
    for (int j = f; j < min(n, f + 128); ++j)
      if (i < m) s -= A[(size_t)i * lda + j] * part[j - f];
    __syncthreads();
  }
  if (i < m) r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128, 128 * sizeof(float)>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
