// A cheat for 01a: sends to the socket at file descriptor 3, which leads to the grader.
// expected: refused: send

#include <sys/socket.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(send(3, "passed", 6, 0));
}
