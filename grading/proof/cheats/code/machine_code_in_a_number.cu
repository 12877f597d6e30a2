// A cheat for 01a: hides the instruction for system calls in a number within an instruction,
// and jumps into the middle of that.
// expected: 0 points

#include "check.hpp"

namespace {
// c3 05 0f from its end: the bytes 0f 05 c3 are in the instruction that loads the number.
[[gnu::noinline, gnu::used]] unsigned hidden() {
  return 0x00C3050FU;
}

[[gnu::noinline]] const unsigned char* find() {
  const auto* code =
      reinterpret_cast<const unsigned char*>(reinterpret_cast<unsigned long>(&hidden));
  while (code[0] != 0x0F || code[1] != 0x05) ++code;
  return code;
}
}  // namespace

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  using Call = void (*)();
  reinterpret_cast<Call>(reinterpret_cast<unsigned long>(find()))();
}
