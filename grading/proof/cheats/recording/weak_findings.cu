// A cheat for 01a: defines the emulator's function that tells what was found, weakly, so that
// nobody complains of two.
// expected: correct 0, safe 0, efficient 3

#include "check.hpp"
#include "emulator/findings.h"

namespace emulator {
__attribute__((weak)) std::vector<Finding> findings() {
  return {};
}
__attribute__((weak)) void set_checking(bool) {}
}  // namespace emulator

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
