// A cheat for 01a: brings its own malloc(), to see all that the program keeps in memory.
// expected: 0 points

#include <cstddef>

#include "check.hpp"

namespace {
alignas(64) char all[1 << 24];
std::size_t used = 0;
}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  used = (used + 63) / 64 * 64 + size;
  return all + used - size;
}
void free(void*) {}
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
