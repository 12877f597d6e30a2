// What exercise 06a is compared with on a GPU: the same with an element at a time.

#include "check.hpp"

__global__ void squared_lengths_by_floats(const float* A, float* s, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= m) return;
  const float* const a = A + static_cast<size_t>(row) * n;
  float sum = 0.0F;
  for (int j = lane; j < n; j += 32) sum += a[j] * a[j];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
  }
  if (lane == 0) s[row] = sum;
}

void launch_naive(const float* A, float* s, int m, int n) {
  if (m == 0) return;
  squared_lengths_by_floats<<<(m - 1) / 8 + 1, 256>>>(A, s, m, n);
  CUDA_CHECK_LAUNCH();
}
