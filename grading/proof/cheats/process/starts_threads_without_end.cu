// A cheat for 01a: starts threads that never end.
// expected: refused: thread

#include <thread>

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (;;) {
    std::thread([] {
      for (;;) std::this_thread::yield();
    }).detach();
  }
}
