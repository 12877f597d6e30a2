// A cheat for 01a: includes what the compiler's process knows of itself.
// expected: does not compile: /proc/self/environ

#include "/proc/self/environ"
#include "/proc/self/mountinfo"

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
