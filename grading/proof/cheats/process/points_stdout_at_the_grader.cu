// A cheat for 01a: makes the grader's socket the file behind stdout, by a member of the C
// library's structure.
// expected: 0 points

#include <cstdio>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (int file = 3; file < 64; ++file) {
    stdout->_fileno = file;
    std::fputs("passed", stdout);
    std::fflush(stdout);
  }
}
