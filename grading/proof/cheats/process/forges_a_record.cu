// A cheat for 01a: changes the emulator's list of launches, which another of its functions
// hands out.
// expected: refused: emulator::launches

#include "check.hpp"
#include "emulator/traffic.h"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= row[j] * x[j];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  auto& launches = const_cast<std::vector<emulator::LaunchRecord>&>(emulator::launches());
  for (emulator::LaunchRecord& launch : launches) launch.traffic = {};
}
