// What exercise 05b is compared with on a GPU: all rows are multiplied, and some thrown away.

#include "check.hpp"

__global__ void all_rows(const float* A, const float* x, const int* chosen, float* y, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  float sum = 0.0F;
  for (int first = 0; first < n; first += 32) {
    const int width = min(32, n - first);
    const float x_lane = lane < width ? x[first + lane] : 0.0F;
    for (int j = 0; j < width; ++j) {
      const float x_j = __shfl_sync(0xFFFFFFFFU, x_lane, j);
      if (i < m) sum += A[static_cast<size_t>(first + j) * m + i] * x_j;
    }
  }
  if (i < m) y[i] = chosen[i] != 0 ? sum : 0.0F;
}

void launch_naive(const float* A, const float* x, const int* chosen, float* y, int m, int n) {
  all_rows<<<(m - 1) / 128 + 1, 128>>>(A, x, chosen, y, m, n);
  CUDA_CHECK_LAUNCH();
}
