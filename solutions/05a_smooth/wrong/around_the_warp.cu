// caught by: correct: whole blocks
// __shfl_sync() counts lanes modulo 32: lane 0 asks lane 31.

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  constexpr unsigned all_lanes = 0xFFFFFFFFU;  // a bit for each lane that takes part
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  // No early return: a lane without an element is the right neighbour of one that has one.
  const float middle = i < n ? x[i] : 0.0F;
  const float left = __shfl_sync(all_lanes, middle, lane - 1);
  const float right = __shfl_sync(all_lanes, middle, lane + 1);
  if (i < n) y[i] = left + 2.0F * middle + right;
}

// x and y are device memory. n may be 0: then there is nothing to do.
void launch_smooth(const float* x, float* y, int n) {
  constexpr int block = 128;
  if (n == 0) return;  // a grid of no blocks is an error
  const int grid = (n - 1) / block + 1;
  smooth<<<grid, block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}
