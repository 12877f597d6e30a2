//@stub
//@ // Exercise 16c: the largest eigenvalue, by cuBLAS, and the host never waits.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 16c
//@solution
// Exercise 16c: the largest eigenvalue, by cuBLAS, and the host never waits. The model solution.
//
// What one step hands to the next, the length of y, stays on the device: the library writes it
// there, a kernel of one thread makes its reciprocal of it, and the library reads that. So the host
// issues all steps at once, and has gone on before the first of them is done.
//@end

#include "cublas.hpp"

// x = factor x, for n elements: what the caller does next, with the same handle, which expects its
// factors in host memory again.
void launch_scale(cublasHandle_t handle, float factor, float* x, int n) {
  CUDA_CHECK(cublasSscal(handle, n, &factor, x, 1));
}

//@stub
//@ // TODO ({lines} lines): what the device needs that no function of the library computes, as
//@ // kernels of one thread.
//@solution
// Factors that never change.
__global__ void set_factors(float* factors) {
  factors[0] = 1.0F;
  factors[1] = 0.0F;
}

__global__ void take_reciprocal(const float* length, float* reciprocal) {
  *reciprocal = 1.0F / *length;
}
//@end

// `steps` times y = A x and x = y / |y|, and then *lambda = x A x, the eigenvalue that is largest
// without its sign, if `steps` are enough. A is n x n and column-major, its columns lda >= n
// elements apart. x and y have n elements; x is the first guess, and y holds anything before.
// `memory`, 4 floats, is yours. All of them, lambda too, are in device memory.
// All work goes to the handle's stream. The handle expects its factors in host memory, before and
// afterwards. n is 1 or more, steps may be 0.
void launch_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                            float* memory, float* lambda, int n, int steps) {
  //@stub
  //@ // TODO ({lines} lines): the handle's stream and mode; the steps; lambda; the mode as it was.
  //@solution
  const float* const one = memory;
  const float* const zero = memory + 1;
  float* const length = memory + 2;
  float* const reciprocal = memory + 3;

  cudaStream_t stream = nullptr;
  CUDA_CHECK(cublasGetStream(handle, &stream));
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  set_factors<<<1, 1, 0, stream>>>(memory);
  CUDA_CHECK_LAUNCH();
  for (int step = 0; step < steps; ++step) {
    CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, one, A, lda, x, 1, zero, y, 1));
    CUDA_CHECK(cublasSnrm2(handle, n, y, 1, length));
    take_reciprocal<<<1, 1, 0, stream>>>(length, reciprocal);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cublasScopy(handle, n, y, 1, x, 1));
    CUDA_CHECK(cublasSscal(handle, n, reciprocal, x, 1));
  }
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, one, A, lda, x, 1, zero, y, 1));
  CUDA_CHECK(cublasSdot(handle, n, x, 1, y, 1, lambda));
  CUDA_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  //@end
}
