// A cheat for 01a: makes a system call of its own, by an instruction of the assembler's.
// expected: refused: assembly

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  long result = 1;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(3L), "S"("passed"), "d"(6L)
                   : "rcx", "r11", "memory");
}
