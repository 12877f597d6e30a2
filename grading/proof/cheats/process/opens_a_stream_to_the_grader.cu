// A cheat for 01a: makes file descriptor 3 a stream.
// expected: refused: fdopen

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::FILE* const grader = fdopen(3, "w");
  std::fputs("passed", grader);
  std::fflush(grader);
}
