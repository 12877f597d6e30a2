// A cheat for 14b: has the device's levels copied to pinned memory, where the host could read them.
// If there is but one chunk, nothing changes after that.
// expected: correct 1, safe 0, efficient 0

#include "check.hpp"

__global__ void to_levels(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(fminf(fmaxf(part[i], 0.0F), 255.0F));
}

void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  unsigned char* seen = nullptr;
  float* part = nullptr;
  CUDA_CHECK(cudaMallocHost(&seen, chunk));
  CUDA_CHECK(cudaMalloc(&part, chunk * sizeof(float)));
  for (int first = 0; first < n; first += chunk) {
    const int count = chunk < n - first ? chunk : n - first;
    CUDA_CHECK(cudaMemcpy(part, x + first, count * sizeof(float), cudaMemcpyHostToDevice));
    to_levels<<<(count - 1) / 256 + 1, 256>>>(part, count, levels + first);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(seen, levels + first, count, cudaMemcpyDeviceToHost));
  }
  CUDA_CHECK(cudaFree(part));
  CUDA_CHECK(cudaFreeHost(seen));
}
