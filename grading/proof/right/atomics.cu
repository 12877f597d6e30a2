// A right solution for 01a: atomic operations, __device__ and __constant__ variables.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
__device__ int started;
__constant__ float one = 1;
__device__ float scale[4] = {1, 1, 1, 1};
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  atomicAdd(&started, 1);
  atomicMax(&started, 3);
  float s = b[i];
  for (int j = 0; j < n; ++j) s -= one * A[(size_t)i * lda + j] * x[j] * scale[j % 4];
  r[i] = 0;
  atomicAdd(&r[i], s);
  atomicExch(&r[i], s);
  atomicCAS((int*)&r[i], 12345, 1);
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
