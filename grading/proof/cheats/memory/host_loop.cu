// A cheat for 01a: runs over the device's memory with a loop on the host.
// expected: 0 points

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (int i = 0; i < m; ++i) {
    r[i] = b[i];
    for (int j = 0; j < n; ++j) r[i] -= A[static_cast<size_t>(i) * lda + j] * x[j];
  }
}
