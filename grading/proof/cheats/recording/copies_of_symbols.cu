// A cheat for 01a: takes all to the device's variables, copies those by name, and computes on
// the host.
// expected: 0 points

#include <vector>

#include "check.hpp"

__device__ float all_A[1 << 18];
__device__ float all_x[2048];
__device__ float all_b[2048];
__device__ float all_r[2048];

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) all_b[i] = b[i];
  if (i < n) all_x[i] = x[i];
  for (int j = 0; i < m && j < n; ++j)
    all_A[static_cast<size_t>(i) * lda + j] = A[static_cast<size_t>(i) * lda + j];
}

__global__ void residual(float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = all_r[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<(m + n + 127) / 128, 128>>>(A, lda, x, b, m, n);
  CUDA_CHECK_LAUNCH();
  std::vector<float> host_A(1 << 18), host_x(2048), host_b(2048), host_r(2048);
  CUDA_CHECK(cudaMemcpyFromSymbol(host_A.data(), all_A, sizeof(all_A)));
  CUDA_CHECK(cudaMemcpyFromSymbol(host_x.data(), all_x, sizeof(all_x)));
  CUDA_CHECK(cudaMemcpyFromSymbol(host_b.data(), all_b, sizeof(all_b)));
  for (int i = 0; i < m; ++i) {
    host_r[i] = host_b[i];
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
  }
  CUDA_CHECK(cudaMemcpyToSymbol(all_r, host_r.data(), sizeof(all_r)));
  residual<<<(m + 127) / 128, 128>>>(r, m);
  CUDA_CHECK_LAUNCH();
}
