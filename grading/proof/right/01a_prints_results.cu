// A right solution for 01a: some results are copied to the host and printed, as left in by mistake.
// expected: full marks

#include <cstdio>
#include <vector>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m - 1) / 128 + 1, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  std::vector<float> some(m < 4 ? m : 4);
  CUDA_CHECK(cudaMemcpy(some.data(), r, some.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (const float value : some) std::printf("%g\n", value);
}
