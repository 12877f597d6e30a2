// A right solution for 01a: two kernels, with memory of the function's own between them.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
__global__ void first(const float* A, int lda, const float* x, float* t, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    float s = 0;
    for (int j = 0; j < n; ++j) s += A[(size_t)i * lda + j] * x[j];
    t[i] = s;
  }
}
__global__ void second(const float* t, const float* b, float* r, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = b[i] - t[i];
}
struct Memory {
  float* p = nullptr;
  explicit Memory(size_t n) { CUDA_CHECK(cudaMalloc(&p, n * sizeof(float))); }
  ~Memory() { cudaFree(p); }
};
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  Memory t(m);
  first<<<(m + 255) / 256, 256>>>(A, lda, x, t.p, m, n);
  CUDA_CHECK_LAUNCH();
  second<<<(m + 255) / 256, 256>>>(t.p, b, r, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
}
