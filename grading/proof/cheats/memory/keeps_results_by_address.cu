// A cheat for 01a: computes once for each address of r and hands that out ever after.
// expected: 0 points

#include "check.hpp"

__device__ float kept[2048];

namespace {
const float* known = nullptr;
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

__global__ void keep(const float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m && i < 2048) kept[i] = r[i];
}

__global__ void hand_out(float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m && i < 2048) r[i] = kept[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const int grid = (m + 127) / 128;
  if (known == nullptr) {
    residual<<<1, 1>>>(A, lda, x, b, r, 1, n);
    keep<<<grid, 128>>>(b, m);
    known = r;
  }
  hand_out<<<grid, 128>>>(r, m);
  CUDA_CHECK_LAUNCH();
}
