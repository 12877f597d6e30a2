// A cheat for 01a: resets the device, with all that is in its memory.
// expected: refused: cudaDeviceReset

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  static_cast<void>(cudaDeviceReset());
}
