// Exercise 16c: the largest eigenvalue, by cuBLAS, and the host never waits.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 16c

#include "cublas.hpp"

// x = factor x, for n elements: what the caller does next, with the same handle, which expects its
// factors in host memory again.
void launch_scale(cublasHandle_t handle, float factor, float* x, int n) {
  CUDA_CHECK(cublasSscal(handle, n, &factor, x, 1));
}

// TODO (7 lines): what the device needs that no function of the library computes, as
// kernels of one thread.

// `steps` times y = A x and x = y / |y|, and then *lambda = x A x, the eigenvalue that is largest
// without its sign, if `steps` are enough. A is n x n and column-major, its columns lda >= n
// elements apart. x and y have n elements; x is the first guess, and y holds anything before.
// `memory`, 4 floats, is yours. All of them, lambda too, are in device memory.
// All work goes to the handle's stream. The handle expects its factors in host memory, before and
// afterwards. n is 1 or more, steps may be 0.
void launch_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                            float* memory, float* lambda, int n, int steps) {
  // TODO (20 lines): the handle's stream and mode; the steps; lambda; the mode as it was.
}
