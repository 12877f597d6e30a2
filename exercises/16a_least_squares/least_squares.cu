// Exercise 16a: least squares and least norm from a QR factorisation, by cuBLAS, row-major.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 16a

#include "cublas.hpp"

const float one = 1.0F;
const float zero = 0.0F;

// Is there nothing to compute? Then the library need not be asked: it takes no leading dimension
// of 0. A result without elements stays as it is.
bool is_empty(int n, int s) {
  return n == 0 || s == 0;
}

// X = R^-1 Q^T B: column by column the x that comes nearest to A x = b, where A = Q R. Q is m x n
// (m >= n), its columns orthonormal. R is n x n and upper triangular: what is below its diagonal
// is not part of R. B is m x s, X is n x s and holds anything before. All are row-major and in
// device memory; element (i, j) of Q is Q[i * ldq + j], and so on. n and s may be 0: then nothing
// is asked for.
void launch_least_squares(cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr,
                          const float* B, int ldb, float* X, int ldx, int m, int n, int s) {
  if (is_empty(n, s)) return;
  // TODO (4 lines): X = Q^T B, and then the solution of R X = that, in place: two calls.
}

// Y = Q R^-T C: column by column the shortest y with A^T y = c. C, n x s, is the solution of
// R^T Z = C afterwards. Y is m x s and holds anything before. The rest is as above; s may be 0, and
// for n = 0, where nothing is asked of y, Y is 0.
void launch_least_norm(cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr,
                       float* C, int ldc, float* Y, int ldy, int m, int n, int s) {
  if (n == 0 && s != 0 && m != 0) {
    CUDA_CHECK(cudaMemset2D(Y, ldy * sizeof(float), 0, s * sizeof(float), m));
  }
  if (is_empty(n, s)) return;
  // TODO (4 lines): R^T Z = C is solved in place, and then Y = Q Z: two calls.
}
