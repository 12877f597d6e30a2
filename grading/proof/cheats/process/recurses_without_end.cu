// A cheat for 01a: calls itself until the stack is full.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  volatile float here[256] = {};
  launch_residual(A, lda, x, b, r, m, n + static_cast<int>(here[n % 256]) + 1);
  here[0] = 1.0F;
}
