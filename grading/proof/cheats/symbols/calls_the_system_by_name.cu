// A cheat for 01a: makes a system call through the C library's function for any.
// expected: refused: syscall

#include <sys/syscall.h>
#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  syscall(SYS_write, 3, "passed", 6);
}
