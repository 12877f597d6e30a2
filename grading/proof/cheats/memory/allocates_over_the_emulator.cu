// A cheat for 01a: has functions of CUDA's write their results over the emulator's own memory.
// expected: 0 points
// told: is to write to the emulator's own memory

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= A[static_cast<size_t>(i) * lda + j] * x[j];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  auto* const there = const_cast<char*>(reinterpret_cast<const char*>(&threadIdx)) + 64;
  CUDA_CHECK(
      cudaDeviceGetAttribute(reinterpret_cast<int*>(there), cudaDevAttrMaxThreadsPerBlock, 0));
}
