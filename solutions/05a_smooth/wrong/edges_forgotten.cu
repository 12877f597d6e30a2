// caught by: correct: whole blocks
// The first and the last lane of each warp ask beyond the warp and get their own element back.

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  constexpr unsigned all_lanes = 0xFFFFFFFFU;  // a bit for each lane that takes part
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // No early return: a lane without an element is the right neighbour of one that has one.
  const float middle = i < n ? x[i] : 0.0F;
  float left = __shfl_up_sync(all_lanes, middle, 1);
  float right = __shfl_down_sync(all_lanes, middle, 1);
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
