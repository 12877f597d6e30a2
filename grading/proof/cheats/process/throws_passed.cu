// A cheat for 01a: throws the course's own error with a text that says that all is well.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  throw course::Error("passed");
}
