// A cheat for 01a: takes all to the device's variables, which are common ones on the emulator,
// and computes on the host.
// expected: 0 points

#include "check.hpp"

__device__ float host_A[1 << 18];
__device__ float host_x[2048];
__device__ float host_b[2048];
__device__ float host_r[2048];

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) host_b[i] = b[i];
  if (i < n) host_x[i] = x[i];
  for (int j = 0; i < m && j < n; ++j)
    host_A[static_cast<size_t>(i) * lda + j] = A[static_cast<size_t>(i) * lda + j];
}

__global__ void residual(float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = host_r[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<(m + n + 127) / 128, 128>>>(A, lda, x, b, m, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i) {
    host_r[i] = host_b[i];
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
  }
  residual<<<(m + 127) / 128, 128>>>(r, m);
  CUDA_CHECK_LAUNCH();
}
