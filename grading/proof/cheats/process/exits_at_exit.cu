// A cheat for 01a: leaves a function for the program's end that makes its exit status 0.
// expected: refused: atexit

#include <unistd.h>

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::atexit([] { _exit(0); });
}
