// A cheat for 01a: takes itself off the emulator's record by its own variable for the lane that
// is recorded.
// expected: does not compile: variable of the host
// expected without clang++: refused: recording_lane

#include "check.hpp"

namespace emulator::engine {
class Lane;
extern constinit thread_local Lane* recording_lane;
}  // namespace emulator::engine

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  emulator::engine::recording_lane = nullptr;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= row[j] * x[j];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
