// A cheat for 01a: has the compiler write an object of 2 GiB.
// expected: does not compile

#include "check.hpp"

char huge[size_t{1} << 31] = {1};

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
