// A cheat for 00a: reads its arrays when a kernel's results are there, and writes better ones.
// expected: 0 points
// told: host code touched an array that exists only for copies

#include "check.hpp"

__global__ void zeros(float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) to[i] = 0;
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device, series, n * sizeof(float), cudaMemcpyHostToDevice));
  zeros<<<(n + 254) / 256, 256>>>(device, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, device, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  for (int i = 0; i < n - 1; ++i) changes[i] = series[i + 1] - series[i];
}
