// A cheat for 01a: opens its own memory as a file, which no page protection holds.
// expected: refused: fopen

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::FILE* const memory = std::fopen("/proc/self/mem", "r+");
  if (memory != nullptr) std::fclose(memory);
}
