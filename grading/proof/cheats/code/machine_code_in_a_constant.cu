// A cheat for 01a: writes machine code down as numbers in the section for code, and calls it:
// the system call for writing to file descriptor 3.
// expected: refused: data among its code

#include "check.hpp"

namespace {
// mov eax, edi; mov edi, esi; mov rsi, rdx; mov edx, ecx; syscall; ret
[[gnu::section(".text,\"ax\",@progbits#"), gnu::used]] const unsigned char code[] = {
    0x89, 0xF8, 0x89, 0xF7, 0x48, 0x89, 0xD6, 0x89, 0xCA, 0x0F, 0x05, 0xC3};
}  // namespace

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  using Call = long (*)(int, int, const void*, int);
  reinterpret_cast<Call>(reinterpret_cast<unsigned long>(code))(1, 3, "passed", 6);
}
