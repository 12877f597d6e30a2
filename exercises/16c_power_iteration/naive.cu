// What exercise 16c is compared with on a GPU: each length comes to the host, which waits for it.

#include "cublas.hpp"

void naive_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                           int n, int steps) {
  const float one = 1.0F;
  const float zero = 0.0F;
  for (int step = 0; step < steps; ++step) {
    float length = 0.0F;
    CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, A, lda, x, 1, &zero, y, 1));
    CUDA_CHECK(cublasSnrm2(handle, n, y, 1, &length));
    const float reciprocal = 1.0F / length;
    CUDA_CHECK(cublasScopy(handle, n, y, 1, x, 1));
    CUDA_CHECK(cublasSscal(handle, n, &reciprocal, x, 1));
  }
}
