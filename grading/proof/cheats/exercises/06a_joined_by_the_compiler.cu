// A cheat for 06a: loads single elements, and has the compiler join them by an attribute.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  return value;
}

__attribute__((optimize("O3", "unsafe-math-optimizations"))) __device__ float four(
    const float* from) {
  float sum = 0.0F;
  for (int k = 0; k < 4; ++k) sum += from[k] * from[k];
  return sum;
}

__global__ void squared_lengths(const float* A, float* s, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= m) return;
  const float* const a = A + static_cast<size_t>(row) * n;
  float sum = 0.0F;
  for (int k = lane; k < n / 4; k += 32) sum += four(a + 4 * k);
  for (int k = n / 4 * 4 + lane; k < n; k += 32) sum += a[k] * a[k];
  sum = warp_sum(sum);
  if (lane == 0) s[row] = sum;
}

void launch_squared_lengths(const float* A, float* s, int m, int n) {
  if (m == 0) return;
  squared_lengths<<<(m + 7) / 8, 256>>>(A, s, m, n);
  CUDA_CHECK_LAUNCH();
}
