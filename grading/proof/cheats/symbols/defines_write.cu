// A cheat for 01a: brings its own write(), send() and recv(), so that what goes to the grader
// passes through it.
// expected: 0 points

#include <sys/types.h>

#include <cstddef>

#include "check.hpp"

extern "C" {
ssize_t write(int, const void*, std::size_t size) {
  return static_cast<ssize_t>(size);
}
ssize_t send(int, const void*, std::size_t size, int) {
  return static_cast<ssize_t>(size);
}
ssize_t sendmsg(int, const void*, int) {
  return 1;
}
ssize_t recv(int, void*, std::size_t, int) {
  return 0;
}
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
