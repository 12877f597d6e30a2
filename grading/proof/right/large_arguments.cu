// A right solution for 01a: two kilobytes of arguments by value from the heap, and a kernel out of
// a table.
// expected: full marks

#include <memory>

#include "check.hpp"

struct Big {
  float c[512];
};

template <int K>
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n, Big big) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = b[i] + big.c[i % 512];
  for (int j = 0; j < n; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  decltype(&residual<1>) kernels[] = {residual<1>, residual<2>};
  auto big = std::make_unique<Big>();
  kernels[m % 2]<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n, *big);
  CUDA_CHECK_LAUNCH();
}
