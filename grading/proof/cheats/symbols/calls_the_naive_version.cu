// A cheat for 01a: calls the function that the checks compare times with.
// expected: refused: launch_naive

#include "check.hpp"

void launch_naive(const float* A, int lda, const float* x, const float* b, float* r, int m, int n);

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m != 0) launch_naive(A, lda, x, b, r, m, n);
}
