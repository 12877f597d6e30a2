// A cheat for 01a: loads the bytes of an element by the C library's functions for text, which
// count nothing.
// expected: does not compile: __host__ function
// expected without clang++: refused: strncpy

#include <cstring>

#include "check.hpp"

__device__ float load(const float* from) {
  const char* const bytes = reinterpret_cast<const char*>(from);
  char copy[5] = {};
  for (int k = 0; k < 4; ++k) {
    if (memchr(bytes + k, 0, 1) == nullptr) strncpy(copy + k, bytes + k, 1);
  }
  float value;
  __builtin_memcpy(&value, copy, 4);
  return value;
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) {
    const float again = load(x + j);
    sum -= A[static_cast<size_t>(i) * lda + j] * 0.5F * (again + x[j]);
    if (load(b + i) == 1e30F) sum = 0.0F;
  }
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
