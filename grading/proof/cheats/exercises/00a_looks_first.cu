// A cheat for 00a: brings the series to the result, reads it there, computes on the host, and
// brings that.
// expected: 0 points
// told: host code read an array that exists only for copies, and results changed after that

#include <vector>

#include "check.hpp"

__global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) to[i] = from[i];
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  if (series == nullptr || changes == nullptr) throw course::Error("no memory");
  const size_t bytes = (n - 1) * sizeof(float);
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, 2 * bytes));
  CUDA_CHECK(cudaMemcpy(device, series, bytes, cudaMemcpyHostToDevice));
  copy<<<(n + 254) / 256, 256>>>(device, device + n - 1, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, device + n - 1, bytes, cudaMemcpyDeviceToHost));
  std::vector<float> done(n - 1);
  for (int i = 0; i < n - 1; ++i) done[i] = series[i + 1] - changes[i];
  CUDA_CHECK(cudaMemcpy(device, done.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(changes, device, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
}
