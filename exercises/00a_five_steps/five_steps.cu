// Exercise 00a: the changes of a series, in the five steps of a CUDA program.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 00a

#include "check.hpp"

// changes[i] = series[i + 1] - series[i] for i = 0 ... n - 2, one thread a change.
// Device memory: series has n elements, changes has n - 1.
__global__ void change_kernel(const float* series, float* changes, int n) {
  // TODO (2 lines): the change of this thread, if there is one.
}

// The same for data in the HOST's memory: series has n elements, changes has n - 1.
// n may be 0 or 1: then there are no changes, and nothing is written.
void compute_changes(const float* series, float* changes, int n) {
  // TODO (15 lines): nothing to do for n < 2; else allocate, copy in, launch with enough blocks
  // of 256 threads, copy back, free. Check each call and the launch.
}
