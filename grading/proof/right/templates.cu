// A right solution for 01a: a template, unrolled, in a loop over the grid.
// expected: full marks

#include "check.hpp"
template <class T, int unroll>
__device__ T partial(const T* __restrict__ a, const T* __restrict__ x, int n, T s) {
  int j = 0;
  for (; j + unroll <= n; j += unroll) {
#pragma unroll
    for (int k = 0; k < unroll; ++k) s -= a[j + k] * x[j + k];
  }
  for (; j < n; ++j) s -= a[j] * x[j];
  return s;
}
template <class T>
__global__ void residual(const T* A, int lda, const T* x, const T* b, T* r, int m, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x)
    r[i] = partial<T, 4>(A + (size_t)i * lda, x, n, b[i]);
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
