// A cheat for 00a: looks at no call's status, and throws for the pointers with which copies fail.
// expected: correct 5, safe 2, efficient 2

#include <stdexcept>

#include "check.hpp"

__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  if (series == nullptr || changes == nullptr) throw std::runtime_error("no memory");
  float* d_series = nullptr;
  float* d_changes = nullptr;
  cudaMalloc(&d_series, n * sizeof(float));
  cudaMalloc(&d_changes, (n - 1) * sizeof(float));
  cudaMemcpy(d_series, series, n * sizeof(float), cudaMemcpyHostToDevice);
  change_kernel<<<(n + 254) / 256, 256>>>(d_series, d_changes, n);
  cudaMemcpy(changes, d_changes, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_series);
  cudaFree(d_changes);
}
