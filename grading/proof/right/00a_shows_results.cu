// A right solution for 00a: what a beginner prints to see whether it works is left in.
// expected: full marks

#include <cstdio>
#include <iostream>

#include "check.hpp"

__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("block %d of %d\n", blockIdx.x, gridDim.x);
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  float* d_series = nullptr;
  float* d_changes = nullptr;
  CUDA_CHECK(cudaMalloc(&d_series, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_changes, (n - 1) * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_series, series, n * sizeof(float), cudaMemcpyHostToDevice));
  change_kernel<<<(n + 254) / 256, 256>>>(d_series, d_changes, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, d_changes, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  std::cout << "first change: " << changes[0] << " = " << series[1] << " - " << series[0] << "\n";
  std::printf("last change: %f\n", changes[n - 2]);
  CUDA_CHECK(cudaFree(d_series));
  CUDA_CHECK(cudaFree(d_changes));
}
