// A cheat for 01a: takes hold of the grader's process as a debugger does.
// expected: refused: ptrace

#include <sys/ptrace.h>
#include <unistd.h>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
}
