// A cheat for 01a: makes the device's memory readable for the host.
// expected: refused: mprotect

#include <sys/mman.h>

#include <cstdint>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(r) / 4096 * 4096);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  for (int i = 0; i < m; ++i) r[i] = b[i];
}
