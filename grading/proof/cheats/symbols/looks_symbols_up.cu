// A cheat for 01a: looks a function of the emulator's up by its name.
// expected: refused: dlsym

#include <dlfcn.h>

#include "check.hpp"

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
  void* const found = dlsym(nullptr, "_ZN8emulator14clear_findingsEv");
  if (found != nullptr) reinterpret_cast<void (*)()>(found)();
}
