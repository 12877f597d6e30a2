// A cheat for 11b: a kernel stores A in a device variable, from which copies take it to B, row by
// row to columns, as if it were the host's memory.
// expected: 0 points
// told: cudaMemcpy2D() moves what is in the device's memory

#include "check.hpp"

__device__ float kept[1 << 18];

__global__ void keep(const float* A, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) kept[i] = A[i];
}

void launch_transpose(const float* A, float* B, int m, int n) {
  if (m == 0 || n == 0) return;
  keep<<<(m * n + 255) / 256, 256>>>(A, m * n);
  CUDA_CHECK_LAUNCH();
  const float* const all = reinterpret_cast<const float*>(&kept);
  for (int i = 0; i < m; ++i) {
    CUDA_CHECK(cudaMemcpy2D(B + i, m * sizeof(float), all + static_cast<size_t>(i) * n,
                            sizeof(float), sizeof(float), n, cudaMemcpyHostToDevice));
  }
}
