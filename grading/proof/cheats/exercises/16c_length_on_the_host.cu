// A cheat for 16c: takes the length to the host, by which anything could come there.
// expected: 0 points

#include "cublas.hpp"

__global__ void keep(float* x) {
  x[0] = x[0];
}

void launch_scale(cublasHandle_t handle, float factor, float* x, int n) {
  CUDA_CHECK(cublasSscal(handle, n, &factor, x, 1));
}

void launch_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                            float* memory, float* lambda, int n, int steps) {
  static_cast<void>(memory);
  const float one = 1.0F;
  const float zero = 0.0F;
  for (int step = 0; step < steps; ++step) {
    CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, A, lda, x, 1, &zero, y, 1));
    float length = 0.0F;
    CUDA_CHECK(cublasSnrm2(handle, n, y, 1, &length));
    const float reciprocal = 1.0F / length;
    CUDA_CHECK(cublasScopy(handle, n, y, 1, x, 1));
    CUDA_CHECK(cublasSscal(handle, n, &reciprocal, x, 1));
  }
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, A, lda, x, 1, &zero, y, 1));
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cublasGetStream(handle, &stream));
  keep<<<1, 1, 0, stream>>>(x);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CUDA_CHECK(cublasSdot(handle, n, x, 1, y, 1, lambda));
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}
