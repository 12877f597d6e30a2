// A cheat for 01a: ends the program with the exit status of a test that was skipped.
// expected: 0 points

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::exit(77);
}
