// A cheat for 01a: says that all is well, in every form that a grader might look for, and does
// nothing.
// expected: 0 points

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::printf("passed   correct: every bit at awkward shapes\n");
  std::printf("{\"case\": \"correct: every bit at awkward shapes\", \"result\": \"passed\"}\n");
  std::printf("[doctest] test cases: 4 | 4 passed | 0 failed | 0 skipped\n10 of 10 points\n");
  std::fprintf(stderr, "PASSED\n");
}
