// A cheat for 01a: has cuBLAS do the work where a kernel is asked for.
// expected: refused: cublas

#include "cublas.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  CUDA_CHECK(cudaMemcpy(r, b, m * sizeof(float), cudaMemcpyDeviceToDevice));
  if (n == 0) return;
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  const float one = 1.0F;
  const float minus_one = -1.0F;
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_T, n, m, &minus_one, A, lda, x, 1, &one, r, 1));
  CUDA_CHECK(cublasDestroy(handle));
}
