//@stub
//@ // Exercise 05a: smoothing, where each thread asks its neighbours in the warp.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 05a
//@solution
// Exercise 05a: smoothing, where each thread asks its neighbours in the warp. The model solution.
//
// An element is loaded by its own thread, and the two beside it come out of the registers of the
// lanes beside. Only at the ends of a warp there is no such lane: these two load one element more.
//@end

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  //@stub
  //@ // TODO ({lines} lines): one element per thread; its neighbours by shuffles; what the lanes at the
  //@ // ends of the warp do instead; the result.
  //@solution
  constexpr unsigned all_lanes = 0xFFFFFFFFU;  // a bit for each lane that takes part
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  // No early return: a lane without an element is the right neighbour of one that has one.
  const float middle = i < n ? x[i] : 0.0F;
  float left = __shfl_up_sync(all_lanes, middle, 1);
  float right = __shfl_down_sync(all_lanes, middle, 1);
  // Beyond the ends of the warp is an element that no lane holds.
  if (lane == 0) left = i > 0 && i < n ? x[i - 1] : 0.0F;
  if (lane == 31) right = i + 1 < n ? x[i + 1] : 0.0F;
  if (i < n) y[i] = left + 2.0F * middle + right;
  //@end
}

// x and y are device memory. n may be 0: then there is nothing to do.
void launch_smooth(const float* x, float* y, int n) {
  //@stub
  //@ // TODO ({lines} lines): launch smooth() with one thread per element, and check the launch.
  //@solution
  constexpr int block = 128;
  if (n == 0) return;  // a grid of no blocks is an error
  const int grid = (n - 1) / block + 1;
  smooth<<<grid, block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
  //@end
}
