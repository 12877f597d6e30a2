// Exercise 01a: the residual r = b - A x, with one thread per row.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 01a

#include "check.hpp"

// r(i) = b(i) - sum over j of A(i, j) x(j).
// A is m x n, row-major, its rows lda >= n elements apart: A(i, j) is A[i * lda + j].
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  // TODO (6 lines): the row of this thread, if there is one; its sum; one element of r.
}

// All pointers are to device memory. m may be 0, and so may n: then r is b.
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  // TODO (5 lines): launch residual() with enough blocks of 128 threads, and check the launch.
}
