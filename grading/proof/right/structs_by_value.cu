// A right solution for 01a: a row handed to a function as a structure.
// expected: full marks

#include "check.hpp"
struct Row {
  const float* p;
  int n;
  float b;
};
__device__ float dot(Row row, const float* x) {
  float s = row.b;
  for (int j = 0; j < row.n; ++j) s -= row.p[j] * x[j];
  return s;
}
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  Row row{A + (size_t)i * lda, n, b[i]};
  r[i] = dot(row, x);
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
