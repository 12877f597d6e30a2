// A cheat for 01a: brings a main function of its own, which succeeds.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}

int main() {
  return 0;
}
