// A cheat for 16c: no cheat, but a mistake that shows only as long as the submission has a handle
// with a stream of its own: the kernels go to the default stream.
// expected: correct 6, safe 0, efficient 2

#include "cublas.hpp"

__global__ void set_factors(float* factors) {
  factors[0] = 1.0F;
  factors[1] = 0.0F;
}

__global__ void take_reciprocal(const float* length, float* reciprocal) {
  *reciprocal = 1.0F / *length;
}

void launch_scale(cublasHandle_t handle, float factor, float* x, int n) {
  CUDA_CHECK(cublasSscal(handle, n, &factor, x, 1));
}

void launch_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                            float* memory, float* lambda, int n, int steps) {
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  set_factors<<<1, 1>>>(memory);
  CUDA_CHECK_LAUNCH();
  for (int step = 0; step < steps; ++step) {
    CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, memory, A, lda, x, 1, memory + 1, y, 1));
    CUDA_CHECK(cublasSnrm2(handle, n, y, 1, memory + 2));
    take_reciprocal<<<1, 1>>>(memory + 2, memory + 3);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cublasScopy(handle, n, y, 1, x, 1));
    CUDA_CHECK(cublasSscal(handle, n, memory + 3, x, 1));
  }
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, memory, A, lda, x, 1, memory + 1, y, 1));
  CUDA_CHECK(cublasSdot(handle, n, x, 1, y, 1, lambda));
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}
