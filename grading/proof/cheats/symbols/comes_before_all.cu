// A cheat for 01a: code that runs before the program has said that it is ready, to have its end
// taken for ours. It is worth nothing, and not 'not graded'.
// expected: 0 points

#include "check.hpp"

__attribute__((constructor(101))) static void begin() {
  __builtin_trap();
}
static void earlier() {
  __builtin_trap();
}
[[gnu::used, gnu::section(".preinit_array")]] static void (*first)() = earlier;

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
