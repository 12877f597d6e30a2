// A cheat for 01a: ends the program with std::quick_exit(0).
// expected: refused: quick_exit

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::quick_exit(0);
}
