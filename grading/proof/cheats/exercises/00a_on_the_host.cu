// A cheat for 00a: computes on the host; the kernel copies what is done already, with the
// traffic that is asked for.
// expected: 0 points

#include <vector>

#include "check.hpp"

__global__ void change_kernel(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) changes[i] = series[i + 1] - series[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  if (series == nullptr || changes == nullptr) throw course::Error("no memory");
  const size_t bytes = n * sizeof(float);
  std::vector<float> done(n - 1);
  for (int i = 0; i < n - 1; ++i) done[i] = series[i + 1] - series[i];
  float* d_series = nullptr;
  float* d_changes = nullptr;
  CUDA_CHECK(cudaMalloc(&d_series, bytes));
  CUDA_CHECK(cudaMalloc(&d_changes, bytes));
  CUDA_CHECK(cudaMemset(d_series, 0, bytes));
  change_kernel<<<(n + 254) / 256, 256>>>(d_series, d_changes, n);  // of zeros
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, done.data(), (n - 1) * sizeof(float), cudaMemcpyHostToHost));
  CUDA_CHECK(cudaFree(d_series));
  CUDA_CHECK(cudaFree(d_changes));
}
