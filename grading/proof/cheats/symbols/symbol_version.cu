// A cheat for 01a: claims a versioned name of the C library's for a function of its own.
// expected: refused: assembly

#include "check.hpp"

extern "C" long my_write(int, const void*, unsigned long size) {
  return static_cast<long>(size);
}
__asm__(".symver my_write, write@@GLIBC_2.2.5");

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
