// What exercise 01b is compared with on a GPU: blocks of one thread, so that nothing is left over.

#include "check.hpp"

__global__ void distances_block_a_point(const float* P, const float* q, float* d, int n) {
  const int i = blockIdx.x;
  const float* const row = P + static_cast<size_t>(i) * n;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += fabsf(row[j] - q[j]);
  d[i] = sum;
}

void launch_naive(const float* P, const float* q, float* d, int m, int n) {
  distances_block_a_point<<<m, 1>>>(P, q, d, n);
  CUDA_CHECK_LAUNCH();
}
