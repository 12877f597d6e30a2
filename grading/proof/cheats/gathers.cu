// A cheat for 01a: loads and stores by instructions for eight numbers at once, of which seven are
// left out.
// expected: 0 points
// told: accesses that nobody counted: 4 bytes of device memory are read

#include <immintrin.h>
#include "check.hpp"

__attribute__((target("avx2"))) __device__ float get(const float* p) {
  const __m256i zero = {0, 0, 0, 0};
  return _mm256_i32gather_ps(p, zero, 4)[0];
}
__attribute__((target("avx2"))) __device__ void put(float* p, float value) {
  const __m256 eight = {value, value, value, value, value, value, value, value};
  const __m256i first = {0xFFFFFFFFLL, 0, 0, 0};
  _mm256_maskstore_ps(p, first, eight);
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = get(&b[i]);  // so much is counted
  for (int j = 0; j < n; ++j) {
    put(&r[i], get(&r[i]) - get(&A[static_cast<size_t>(i) * lda + j]) * get(&x[j]));
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
