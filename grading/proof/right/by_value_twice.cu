// A right solution for 01a: structures handed to functions straight from memory.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
struct P1 {
  float a;
};
struct P3 {
  float a, b, c;
};
struct P6 {
  float v[6];
};
__device__ float f1(P1 p) {
  return p.a;
}
__device__ float f3(P3 p) {
  return p.a + p.b + p.c;
}
__device__ float g4(float4 p) {
  return p.x + p.y;
}
__device__ float f6(P6 p) {
  return p.v[0] + p.v[5];
}
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = f1(*(const P1*)(b + i));
  for (int j = 0; j < n; ++j)
    s -= f1(*(const P1*)(A + (size_t)i * lda + j)) * f1(*(const P1*)(x + j));
  const float* row = A + (size_t)i * lda;
  float t = 0;
  if (n > 8)
    t = f3(*(const P3*)row) + f3(*(const P3*)(row + 3)) + f6(*(const P6*)row) + f6(*(const P6*)x);
  if (n > 8 && (size_t)row % 16 == 0) t += g4(*(const float4*)row) + g4(*(const float4*)(row + 4));
  r[i] = s + (t == 123456.f ? 1.f : 0.f);
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
