// A cheat for 01a: has a shell do something.
// expected: refused: system

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(std::system("cat /etc/passwd > /tmp/found"));
}
