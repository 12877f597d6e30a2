// A cheat for 01a: ends the program with abort().
// expected: 0 points

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::abort();
}
