// A cheat for 01a: writes to file descriptor 3, which leads to the grader.
// expected: refused: write

#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(write(3, "passed", 6));
}
