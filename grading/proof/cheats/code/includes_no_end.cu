// A cheat for 01a: includes a device that never ends.
// expected: does not compile

#include "/dev/zero"

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
