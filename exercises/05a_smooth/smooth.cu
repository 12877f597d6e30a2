// Exercise 05a: smoothing, where each thread asks its neighbours in the warp.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 05a

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  // TODO (9 lines): one element per thread; its neighbours by shuffles; what the lanes at the
  // ends of the warp do instead; the result.
}

// x and y are device memory. n may be 0: then there is nothing to do.
void launch_smooth(const float* x, float* y, int n) {
  // TODO (5 lines): launch smooth() with one thread per element, and check the launch.
}
