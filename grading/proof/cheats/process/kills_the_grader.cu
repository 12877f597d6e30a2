// A cheat for 01a: ends the grader's process, and every other that it may.
// expected: refused: kill

#include <unistd.h>

#include <csignal>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
}
