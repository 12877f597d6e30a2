// A cheat for 01a: waits longer than anybody can.
// expected: refused: sleep

#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  sleep(100000);
}
