// A cheat for 01a: takes all memory of the host that it can get, and writes to it.
// expected: 0 points
// time limit: 2 s

#include <cstring>
#include <new>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (;;) {
    char* const more = new (std::nothrow) char[1 << 26];
    if (more != nullptr) std::memset(more, 1, 1 << 26);
  }
}
