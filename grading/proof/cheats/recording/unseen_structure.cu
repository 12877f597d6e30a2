// A cheat for 01a: hands elements to a function in a large structure, by value, whose copy the
// compiler does not report; but the witness sees it.
// expected: correct 1, safe 2, efficient 0
// told: accesses that nobody counted: 16 bytes of device memory are read

#include "check.hpp"

struct Elements {
  float value[64];
};

[[gnu::noinline]] __device__ float first(Elements elements) {
  return elements.value[0];
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) {
    // Most elements of x are loaded 65 times instead of once.
    float x_j = x[j];
    if (j + 64 <= n) x_j = 0.5F * (x_j + first(*reinterpret_cast<const Elements*>(x + j)));
    sum -= A[static_cast<size_t>(i) * lda + j] * x_j;
  }
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
