// A cheat for 01a: includes the version that the checks compare times with, and calls it.
// expected: does not compile: naive.cu

#include "naive.cu"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  launch_naive(A, lda, x, b, r, m, n);
}
