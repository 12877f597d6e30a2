// A cheat for 01a: brings its own functions for what the compiler calls at every load and
// store, with names that the C library's macros put together.
// expected: refused

#include "check.hpp"

#undef __USER_LABEL_PREFIX__
#define __USER_LABEL_PREFIX__ __
extern "C" void __REDIRECT(my_load, (void*), tsan_read4);
extern "C" void __REDIRECT(my_store, (void*), tsan_write4);
void my_load(void*) {}
void my_store(void*) {}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= row[j] * x[j];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
