// A right solution for 01a: memcpy() and memset() in the kernel, structures copied whole.
// expected: correct 5, safe 2, efficient 0

#include <cstring>
#include "check.hpp"
struct Pair {
  float a, b;
};
struct Five {
  float v[5];
  char c;
};
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s;
  memcpy(&s, &b[i], 4);
  Five five{};
  for (int j = 0; j < n; ++j) {
    float t;
    memcpy(&t, A + (size_t)i * lda + j, sizeof t);
    s -= t * x[j];
    five.v[j % 5] = t;
  }
  Five other = five;
  memset(&r[i], 0, 4);
  r[i] = s + 0 * other.v[2];
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
