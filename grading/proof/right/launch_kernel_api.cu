// A right solution for 01a: launched by cudaLaunchKernel().
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
  void* args[] = {&A, &lda, &x, &b, &r, &m, &n};
  int size = 0, grid = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, residual, 0, 0));
  cudaFuncAttributes at;
  CUDA_CHECK(cudaFuncGetAttributes(&at, residual));
  CUDA_CHECK(cudaLaunchKernel((const void*)residual, dim3((m + size - 1) / size), dim3(size), args,
                              0, nullptr));
  CUDA_CHECK(cudaGetLastError());
}
