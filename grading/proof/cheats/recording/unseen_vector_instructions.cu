// A cheat for 01a: stores by an instruction of the processor's for vectors, which the compiler
// does not report.
// expected: refused: instructions of one kind of processor

#include "check.hpp"

using Two = float __attribute__((vector_size(8)));
using Four = float __attribute__((vector_size(16)));

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= m) return;
  const bool last = i + 1 == m;
  Four sum{};
  for (int j = 0; j < n; ++j) {
    sum[0] -= A[static_cast<size_t>(i) * lda + j] * x[j];
    if (!last) sum[1] -= A[static_cast<size_t>(i + 1) * lda + j] * x[j];
    if (!last) __builtin_ia32_storelps(reinterpret_cast<Two*>(r + i), sum);
  }
  r[i] = b[i] + sum[0];
  if (!last) r[i + 1] = b[i + 1] + sum[1];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
