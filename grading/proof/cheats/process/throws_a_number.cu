// A cheat for 01a: throws what nobody catches.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  throw 42;
}
