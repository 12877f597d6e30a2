// A cheat for 01a: replaces operator new, which C++ allows, to see all that the program keeps
// in memory.
// expected: 0 points

#include <cstdlib>
#include <new>

#include "check.hpp"

void* operator new(std::size_t size) {
  if (size > 64) throw std::bad_alloc();
  return std::malloc(size);
}
void operator delete(void* pointer) noexcept {
  std::free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
