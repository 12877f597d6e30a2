// A right solution for 01a: two-dimensional blocks, sums in shared memory.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  __shared__ double part[8][17];
  int i = blockIdx.x * 8 + threadIdx.y;
  double s = 0;
  if (i < m)
    for (int j = threadIdx.x; j < n; j += 16) s += (double)A[(size_t)i * lda + j] * x[j];
  part[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  for (int d = 8; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.y][threadIdx.x] += part[threadIdx.y][threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0 && i < m) r[i] = b[i] - (float)part[threadIdx.y][0];
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 7) / 8, dim3(16, 8)>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}
