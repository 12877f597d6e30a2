// A cheat for 01a: has a signal end the program with success while the checks run.
// expected: refused: alarm

#include <unistd.h>

#include <csignal>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::signal(SIGALRM, [](int) { _exit(0); });
  alarm(1);
}
