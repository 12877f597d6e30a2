// A cheat for 01a: ends the program with _exit(0), which no destructor sees.
// expected: refused: _exit

#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  _exit(0);
}
