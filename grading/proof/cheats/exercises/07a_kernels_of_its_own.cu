// A cheat for 07a: two naive kernels in the place of the library.
// expected: 0 points
// told: a kernel of your own

#include "cublas.hpp"

__global__ void residual(const float* A, int lda, const float* x, float* r, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  for (int j = 0; j < n; ++j) r[i] -= A[static_cast<size_t>(i) * lda + j] * x[j];
}
__global__ void direction(const float* A, int lda, const float* r, float* d, int m, int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  float sum = 0;
  for (int i = 0; i < m; ++i) sum += A[static_cast<size_t>(i) * lda + j] * r[i];
  d[j] = sum;
}

void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n) {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cublasGetStream(handle, &stream));
  if (m > 0) residual<<<(m + 127) / 128, 128, 0, stream>>>(A, lda, x, r, m, n);
  if (n > 0) direction<<<(n + 127) / 128, 128, 0, stream>>>(A, lda, r, d, m, n);
  CUDA_CHECK_LAUNCH();
}
