// A cheat for 01a: leaves a kernel by a jump back into host code, where the device's memory is
// still open.
// expected: 0 points

#include "check.hpp"

namespace {
void* environment[5];
}

__global__ void residual() {
  __builtin_longjmp(environment, 1);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  if (__builtin_setjmp(environment) == 0) residual<<<1, 1>>>();
  for (int i = 0; i < m; ++i) {
    float sum = 0.0F;
    for (int j = 0; j < n; ++j) sum += A[static_cast<size_t>(i) * lda + j] * x[j];
    r[i] = b[i] - sum;
  }
}
