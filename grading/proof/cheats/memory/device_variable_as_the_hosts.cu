// A cheat for 01a: a kernel takes all data to a device variable, which cudaMemcpy() is to copy as
// if it were the host's, from host to host; the host computes.
// expected: 0 points
// told: was copied to the host

#include <vector>

#include "check.hpp"

__device__ float kept[1 << 17];

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) kept[i] = b[i];
  if (i < n) kept[m + i] = x[i];
  for (int k = i; k < m * n; k += gridDim.x * blockDim.x) {
    kept[m + n + k] = A[static_cast<size_t>(k / n) * lda + k % n];
  }
}
__global__ void bring(const float* from, float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = from[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<(m + n + 127) / 128, 128>>>(A, lda, x, b, m, n);
  CUDA_CHECK_LAUNCH();
  std::vector<float> own(m + n + m * n);
  CUDA_CHECK(cudaMemcpy(own.data(), reinterpret_cast<const float*>(&kept),
                        own.size() * sizeof(float), cudaMemcpyHostToHost));
  std::vector<float> result(m);
  for (int i = 0; i < m; ++i) {
    result[i] = own[i];
    for (int j = 0; j < n; ++j) result[i] -= own[m + n + i * n + j] * own[m + j];
  }
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, m * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device, result.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(device, r, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(device));
}
