// A cheat for 01a: writes to the emulator's own variable by which accesses are recorded, which
// is as far from threadIdx as it always does.
// expected: 0 points
// told: bytes are written that are not the program's own

#include "check.hpp"

// Of the emulator's variables two point to the thread that runs: here, and for the counting code.
__device__ long* place_of_the_second() {
  long* const near = const_cast<long*>(reinterpret_cast<const long*>(&threadIdx));
  for (int k = 80; k > 2; --k) {
    if (near[k] > 0x1000000 && near[k] % 64 == 0 && near[k] == near[k + 1]) return &near[k];
  }
  return nullptr;
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = 0;
  long* const place = place_of_the_second();
  const long lane = *place;
  *place = 0;
  float sum = b[i];
  for (int j = 0; j < n; ++j) {
    r[i] = sum;
    sum = r[i] - A[static_cast<size_t>(i) * lda + j] * x[j];
  }
  r[i] = sum;
  *place = lane;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
