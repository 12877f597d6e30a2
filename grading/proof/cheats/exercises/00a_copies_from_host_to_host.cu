// A cheat for 00a: has CUDA copy the series, which host code cannot read, from host to host, and
// computes there.
// expected: 0 points
// told: was copied to the host

#include <vector>

#include "check.hpp"

__global__ void move(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  std::vector<float> own(n);
  CUDA_CHECK(cudaMemcpy(own.data(), series, n * sizeof(float), cudaMemcpyHostToHost));
  for (int i = 0; i + 1 < n; ++i) own[i] = own[i + 1] - own[i];
  float* a = nullptr;
  float* b = nullptr;
  CUDA_CHECK(cudaMalloc(&a, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&b, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(a, own.data(), (n - 1) * sizeof(float), cudaMemcpyHostToDevice));
  move<<<(n + 255) / 256, 256>>>(a, b, n - 1);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, b, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
}
