// A right solution for 01a: wide loads where rows are aligned.
// expected: full marks

#include "check.hpp"
struct alignas(8) Pair {
  float a;
  float b;
};
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* row = A + (size_t)i * lda;
  float s = b[i];
  int j = 0;
  if (((size_t)row & 15) == 0 && ((size_t)x & 15) == 0)
    for (; j + 4 <= n; j += 4) {
      float4 a = *(const float4*)(row + j);
      float4 v = ((const float4*)x)[j / 4];
      s -= a.x * v.x;
      s -= a.y * v.y;
      s -= a.z * v.z;
      s -= a.w * v.w;
    }
  else if (((size_t)row & 7) == 0 && ((size_t)x & 7) == 0)
    for (; j + 2 <= n; j += 2) {
      Pair a = *(const Pair*)(row + j);
      float2 v = *reinterpret_cast<const float2*>(x + j);
      s -= a.a * v.x;
      s -= a.b * v.y;
    }
  for (; j < n; ++j) s -= row[j] * x[j];
  r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
