// A cheat for 01a: ends the program with an instruction that there is not.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  __builtin_trap();
}
