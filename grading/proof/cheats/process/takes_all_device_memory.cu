// A cheat for 01a: takes all memory of the device that it can get, and writes to it.
// expected: 0 points
// time limit: 2 s

#include "check.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  for (size_t bytes = size_t{1} << 40; bytes > 4096; bytes /= 2) {
    void* more = nullptr;
    while (cudaMalloc(&more, bytes) == cudaSuccess) static_cast<void>(cudaMemset(more, 1, bytes));
  }
}
