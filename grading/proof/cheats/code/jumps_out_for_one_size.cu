// A cheat for 01a: leaves a kernel by a jump, at the one size whose traffic is counted; the rest of
// the host's code then computes.
// expected: correct 5, safe 2, efficient 0
// told: residual.cu:

#include "check.hpp"

namespace {
void* environment[5];
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= A[static_cast<size_t>(i) * lda + j] * x[j];
}

__global__ void fill(float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = 0;
}
__global__ void leave() {
  __builtin_longjmp(environment, 1);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  if (m != 128) {
    residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
    CUDA_CHECK_LAUNCH();
    return;
  }
  fill<<<1, 128>>>(r, m);
  if (__builtin_setjmp(environment) == 0) leave<<<1, 1>>>();
  for (int i = 0; i < m; ++i) {
    float sum = b[i];
    for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
    r[i] = sum;
  }
}
