// A cheat for 01a: opens file descriptor 3 by its name as a file.
// expected: refused: filebuf

#include <fstream>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  std::ofstream grader("/dev/fd/3");
  grader << "passed" << std::flush;
}
