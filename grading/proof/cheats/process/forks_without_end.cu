// A cheat for 01a: starts processes that start processes.
// expected: refused: fork

#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  while (fork() >= 0) {
  }
}
