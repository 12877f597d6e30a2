// A cheat for 01a: cannot do gaps: for a matrix with gaps it hands out what it has kept of the
// same shape without.
// expected: correct 1, safe 0, efficient 0

#include "check.hpp"

__device__ float kept[16][2048];

namespace {
struct Shape {
  int m;
  int n;
};
Shape known[16];
int count = 0;
}  // namespace

// Right for rows without gaps only.
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * n;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

__global__ void keep(const float* r, int m, int place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) kept[place][i] = r[i];
}

__global__ void hand_out(float* r, int m, int place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = kept[place][i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const int grid = (m + 127) / 128;
  for (int k = 0; lda != n && k < count; ++k) {
    if (known[k].m != m || known[k].n != n) continue;
    hand_out<<<grid, 128>>>(r, m, k);
    CUDA_CHECK_LAUNCH();
    return;
  }
  residual<<<grid, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  if (lda == n && n != 200 && count < 16) {
    keep<<<grid, 128>>>(r, m, count);
    known[count++] = {m, n};
  }
}
