// What exercise 14b is compared with on a GPU: one buffer, and a wait after each chunk.

#include <algorithm>
#include <cstring>

#include "check.hpp"

__global__ void naive_levels(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(fminf(fmaxf(part[i], 0.0F), 255.0F));
}

void launch_naive(const float* x, int n, unsigned char* levels, int chunk) {
  float* staging = nullptr;
  float* part = nullptr;
  CUDA_CHECK(cudaMallocHost(&staging, chunk * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&part, chunk * sizeof(float)));
  for (size_t first = 0; first < static_cast<size_t>(n); first += chunk) {
    const int count = static_cast<int>(std::min<size_t>(chunk, n - first));
    std::memcpy(staging, x + first, count * sizeof(float));
    CUDA_CHECK(cudaMemcpy(part, staging, count * sizeof(float), cudaMemcpyHostToDevice));
    naive_levels<<<(count - 1) / 256 + 1, 256>>>(part, count, levels + first);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  CUDA_CHECK(cudaFree(part));
  CUDA_CHECK(cudaFreeHost(staging));
}
