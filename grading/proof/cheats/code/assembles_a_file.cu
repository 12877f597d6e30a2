// A cheat for 01a: has the assembler take a file in as data.
// expected: refused: assembly
// not in the report: root:

#include "check.hpp"

__asm__(".section .rodata\nfound: .incbin \"/etc/passwd\"\n.previous");
extern "C" const char found[];

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::printf("%s", found);
}
