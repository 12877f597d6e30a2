// A right solution for 01a: sums go by way of static shared memory.
// expected: full marks

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float part[128];
  __shared__ int dummy;
  float s = i < m ? b[i] : 0.f;
  part[threadIdx.x] = 0;
  if (threadIdx.x == 0) dummy = n;
  __syncthreads();
  for (int j = 0; j < dummy; ++j)
    if (i < m) s -= A[(size_t)i * lda + j] * x[j];
  part[threadIdx.x] = s;
  __syncthreads();
  if (i < m) r[i] = part[threadIdx.x];
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
