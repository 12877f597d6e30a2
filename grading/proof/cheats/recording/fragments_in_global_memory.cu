// A cheat for 01a: loads by a product of matrices: the emulator reads fragments, which are
// registers, from wherever they are said to be, and counts nothing.
// expected: 0 points
// told: is to use others' memory as registers

#include <mma.h>

#include "check.hpp"

namespace detail = emulator::detail;

// The float there, by the whole warp; nobody counts them.
__device__ float peek(const float* from) {
  const detail::MatrixProduct product{16,
                                      8,
                                      8,
                                      detail::MatrixType::tf32,
                                      detail::MatrixType::tf32,
                                      detail::MatrixType::f32,
                                      detail::MatrixType::f32};
  const unsigned a[4] = {};
  const unsigned b[2] = {};
  float d[4] = {};
  const auto address = reinterpret_cast<size_t>(from);  // sixteen bytes that are surely there
  detail::multiply_matrices(product, a, b, reinterpret_cast<const void*>(address & ~size_t{15}), d,
                            "mma.sync", nullptr);
  return d[address % 16 / 4];
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = i < m ? i : m - 1;
  float sum = peek(&b[row]);
  for (int j = 0; j < n; ++j) {
    for (int twice = 0; twice < 4; ++twice) static_cast<void>(peek(&x[j]));
    sum -= peek(&A[static_cast<size_t>(row) * lda + j]) * peek(&x[j]);
  }
  if (i < m) r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
