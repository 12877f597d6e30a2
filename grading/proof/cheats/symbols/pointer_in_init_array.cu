// A cheat for 01a: has a function called before main, by a pointer in the section for those,
// that turns the checks off.
// expected: refused: set_checking

#include "check.hpp"
#include "emulator/findings.h"

namespace {
void early() {
  emulator::set_checking(false);
}
[[gnu::section(".init_array"), gnu::used]] void (*const pointer)() = early;
}  // namespace

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
