// A cheat for 00a: ends the program where an exception is asked for.
// expected: correct 5, safe 2, efficient 2
// told: with exit status 1, instead of coming back

#include <cstdlib>

#include "check.hpp"

__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  if (series == nullptr || changes == nullptr) std::exit(1);
  float* d_series = nullptr;
  float* d_changes = nullptr;
  CUDA_CHECK(cudaMalloc(&d_series, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_changes, (n - 1) * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_series, series, n * sizeof(float), cudaMemcpyHostToDevice));
  change_kernel<<<(n + 254) / 256, 256>>>(d_series, d_changes, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, d_changes, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_series));
  CUDA_CHECK(cudaFree(d_changes));
}
