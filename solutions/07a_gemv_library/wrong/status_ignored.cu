// caught by: safe: a call that fails is reported
// Nobody looks at what the calls return.

#include "cublas.hpp"

// r = r - A x, and then d = A^T r with that new r. A is m x n, row-major, its rows lda >= n
// elements apart (lda is 1 or more): A(i, j) is A[i * lda + j]. x and d have n elements, r has m.
// r holds b before, and d may hold anything. A, x, r and d are in device memory.
// m may be 0: then d is 0. n may be 0: then r stays as it is.
// The handle is the caller's; it expects alpha and beta in host memory.
void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n) {
  const float one = 1.0F;
  const float minus_one = -1.0F;
  const float zero = 0.0F;
  if (n == 0) return;  // r = r - 0, and d has no elements
  if (m == 0) {        // a sum of nothing; the library would leave d alone
    CUDA_CHECK(cudaMemset(d, 0, n * sizeof(float)));
    return;
  }
  // In both calls n and m are the rows and columns of B, whatever is done with it.
  cublasSgemv(handle, CUBLAS_OP_T, n, m, &minus_one, A, lda, x, 1, &one, r, 1);
  // With a factor of 0 d is only written: what it held does not matter, not even NaN.
  cublasSgemv(handle, CUBLAS_OP_N, n, m, &one, A, lda, r, 1, &zero, d, 1);
}
