// A cheat for 01a: frees the arrays that it was given, in the hope that nothing is compared
// then.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(cudaFree(r));
  static_cast<void>(cudaFree(const_cast<float*>(b)));
}
