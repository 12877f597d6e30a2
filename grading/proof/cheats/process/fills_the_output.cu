// A cheat for 01a: prints without an end.
// expected: 0 points
// time limit: 2 s

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (;;) std::fputs("and so on, and so on, and so on\n", stderr), std::puts("and so on");
}
