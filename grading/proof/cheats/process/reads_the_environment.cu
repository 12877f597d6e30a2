// A cheat for 01a: looks in its environment for what the grader has left there.
// expected: refused: getenv

#include <cstdlib>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (std::getenv("COURSE_GRADING_SEED") != nullptr) return;
}
