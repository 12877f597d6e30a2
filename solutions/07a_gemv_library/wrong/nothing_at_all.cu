// caught by: correct: square matrices
// The function does nothing.

#include "cublas.hpp"

// r = r - A x, and then d = A^T r with that new r. A is m x n, row-major, its rows lda >= n
// elements apart (lda is 1 or more): A(i, j) is A[i * lda + j]. x and d have n elements, r has m.
// r holds b before, and d may hold anything. A, x, r and d are in device memory.
// m may be 0: then d is 0. n may be 0: then r stays as it is.
// The handle is the caller's; it expects alpha and beta in host memory.
void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n) {}
