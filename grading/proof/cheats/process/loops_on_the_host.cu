// A cheat for 01a: never comes back.
// expected: 0 points
// time limit: 2 s

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  volatile bool forever = true;
  while (forever) {
  }
}
