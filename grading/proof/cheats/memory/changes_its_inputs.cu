// A cheat for 01a: sets A, b and r to 0, so that a comparison made from what is in memory
// comes out.
// expected: 0 points

#include "check.hpp"

__global__ void clear(float* values, size_t count) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = 0.0F;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  const size_t elements = static_cast<size_t>(m) * lda;
  if (m == 0) return;
  clear<<<(m + 127) / 128, 128>>>(const_cast<float*>(b), m);
  clear<<<(m + 127) / 128, 128>>>(r, m);
  clear<<<(elements + 127) / 128, 128>>>(const_cast<float*>(A), elements);
  CUDA_CHECK_LAUNCH();
}
