// A cheat for 02a: copies between the device's arrays, which no kernel does, lay the matrix out as
// this one likes it.
// expected: 0 points
// told: cudaMemcpy2D()

#include "check.hpp"

// Eight neighbouring columns a thread, of which each comes from a matrix of its own.
__global__ void product(const float* parts, const float* x, float* y, int m, int n, int width) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[8] = {};
  for (int i = 0; i < m; ++i) {
    const float factor = x[i];
    for (int k = 0; k < 8; ++k) {
      if (8 * t + k < n) sums[k] += parts[(static_cast<size_t>(k) * m + i) * width + t] * factor;
    }
  }
  for (int k = 0; k < 8; ++k) {
    if (8 * t + k < n) y[k * width + t] = sums[k];
  }
}

void launch_transposed_product(const float* A, const float* x, float* y, int m, int n) {
  if (n == 0) return;
  const int width = (n + 7) / 8;
  float* parts = nullptr;
  float* result = nullptr;
  CUDA_CHECK(cudaMalloc(&parts, sizeof(float) * (static_cast<size_t>(8) * m * width + 1)));
  CUDA_CHECK(cudaMalloc(&result, sizeof(float) * 8 * width));
  const auto kind = cudaMemcpyDeviceToDevice;
  for (int k = 0; k < 8; ++k) {
    const int count = (n - k + 7) / 8;
    for (int i = 0; i < m && count > 0; ++i) {
      CUDA_CHECK(cudaMemcpy2D(parts + (static_cast<size_t>(k) * m + i) * width, 4,
                              A + static_cast<size_t>(i) * n + k, 32, 4, count, kind));
    }
  }
  product<<<(n + 1023) / 1024, 128>>>(parts, x, result, m, n, width);
  CUDA_CHECK_LAUNCH();
  for (int k = 0; k < 8; ++k) {
    const int count = (n - k + 7) / 8;
    if (count > 0) CUDA_CHECK(cudaMemcpy2D(y + k, 32, result + k * width, 4, 4, count, kind));
  }
  CUDA_CHECK(cudaFree(parts));
  CUDA_CHECK(cudaFree(result));
}
