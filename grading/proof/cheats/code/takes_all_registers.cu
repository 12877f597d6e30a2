// A cheat for 01a: launches a kernel whose threads have arrays of 256 MB each.
// expected: 0 points
// time limit: 2 s

#include "check.hpp"

__global__ void residual(float* r) {
  float all[1 << 26];
  for (int k = 0; k < 1 << 26; ++k) all[k] = static_cast<float>(k);
  r[0] = all[static_cast<int>(r[0])];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<1, 128>>>(r);
  CUDA_CHECK_LAUNCH();
}
