// A cheat for 01a: starts processes that start processes, by the assembler's instruction.
// expected: refused: assembly

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (;;) {
    long result = 57;  // fork
    __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  }
}
