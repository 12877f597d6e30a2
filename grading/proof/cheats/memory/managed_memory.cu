// A cheat for 01a: takes all to memory that host and device share, and computes on the host.
// expected: refused: cudaMallocManaged

#include "check.hpp"

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n,
                     float* host_A, float* host_x, float* host_b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) host_b[i] = b[i];
  if (i < n) host_x[i] = x[i];
  for (int j = 0; i < m && j < n; ++j)
    host_A[static_cast<size_t>(i) * lda + j] = A[static_cast<size_t>(i) * lda + j];
}

__global__ void residual(float* r, int m, const float* host_r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = host_r[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  float *host_A, *host_x, *host_b, *host_r;
  CUDA_CHECK(cudaMallocManaged(&host_A, (1 << 18) * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&host_x, 2048 * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&host_b, 2048 * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&host_r, 2048 * sizeof(float)));
  take<<<(m + n + 127) / 128, 128>>>(A, lda, x, b, m, n, host_A, host_x, host_b);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i) {
    host_r[i] = host_b[i];
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
  }
  residual<<<(m + 127) / 128, 128>>>(r, m, host_r);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(host_A));
  CUDA_CHECK(cudaFree(host_x));
  CUDA_CHECK(cudaFree(host_b));
  CUDA_CHECK(cudaFree(host_r));
}
