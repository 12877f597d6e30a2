// A cheat for 01a: writes a file that never ends.
// expected: refused: fopen

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::FILE* const file = std::fopen("/tmp/full", "w");
  for (;;) std::fputs("and so on, and so on, and so on", file);
}
