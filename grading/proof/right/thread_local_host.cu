// A right solution for 01a: the host keeps count in thread_local variables, which no kernel changes
// though its shared memory is made of the same.
// expected: full marks

#include "check.hpp"

namespace {
thread_local int launches = 0;
thread_local int twice[2] = {1, 2};
}  // namespace

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, bool is_right) {
  __shared__ float sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = is_right ? b[i] : 0.0F;
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  sums[threadIdx.x] = s;
  r[i] = sums[threadIdx.x];
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  ++launches;
  twice[1] += 2;
  residual<<<(m + 63) / 64, 64>>>(A, lda, x, b, r, m, n, twice[1] == 2 * launches + 2);
  CUDA_CHECK_LAUNCH();
}
