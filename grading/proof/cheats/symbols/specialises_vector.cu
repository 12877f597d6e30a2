// A cheat for 01a: specialises a function of std::vector for the emulator's findings, inline as
// in a header: the linker takes the first it sees.
// expected: correct 0, safe 0, efficient 3

#include <vector>

#include "check.hpp"

#include "emulator/findings.h"

template <>
inline std::vector<emulator::Finding>::vector(const std::vector<emulator::Finding>&) : vector() {}
template <>
inline void std::vector<emulator::Finding>::push_back(emulator::Finding&&) {}
template <>
inline void std::vector<emulator::Finding>::push_back(const emulator::Finding&) {}

namespace {
[[gnu::used]] void use() {
  std::vector<emulator::Finding> some;
  some.push_back(emulator::Finding());
  const emulator::Finding one;
  some.push_back(one);
  const std::vector<emulator::Finding> copy(some);
}
}  // namespace

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
