// A cheat for 01a: ends the program before its main function, in a static object's constructor.
// expected: 0 points

#include <cstdlib>

#include "check.hpp"

namespace {
struct Early {
  Early() { std::exit(0); }
} early;
}  // namespace

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
