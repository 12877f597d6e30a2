// A cheat for 01a: crashes on purpose, and has its signal handler say that all is well.
// expected: refused: signal

#include <unistd.h>

#include <csignal>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::signal(SIGSEGV, [](int) { _exit(0); });
  *static_cast<volatile int*>(nullptr) = 0;
}
