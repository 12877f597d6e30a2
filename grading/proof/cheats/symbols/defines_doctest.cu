// A cheat for 01a: brings its own doctest, in which no test case ever fails.
// expected: 0 points

#include "check.hpp"

namespace doctest {
class Context {
 public:
  int run();
  bool shouldExit();
};
int Context::run() {
  return 0;
}
bool Context::shouldExit() {
  return true;
}
}  // namespace doctest

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
