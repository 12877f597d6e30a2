// A right solution for 01a: two steps of one kernel, with a barrier of the whole grid between them.
// expected: correct 5, safe 2, efficient 0

#include <cooperative_groups.h>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i < m; i += threads) r[i] = b[i];
  cooperative_groups::this_grid().sync();
  for (int i = first; i < m; i += threads) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += A[static_cast<size_t>(i) * lda + j] * x[j];
    r[i] -= sum;
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  void* arguments[] = {&A, &lda, &x, &b, &r, &m, &n};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&residual),
                                         dim3(m < 1024 ? (m + 127) / 128 : 8), dim3(128), arguments,
                                         0, nullptr));
  CUDA_CHECK_LAUNCH();
}
