// caught by: safe: all lanes of the mask come and nothing beside x is read
// Lanes without an element leave, and the last element asks one of them for its right neighbour.

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  constexpr unsigned all_lanes = 0xFFFFFFFFU;  // a bit for each lane that takes part
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  if (i >= n) return;
  const float middle = i < n ? x[i] : 0.0F;
  float left = __shfl_up_sync(all_lanes, middle, 1);
  float right = __shfl_down_sync(all_lanes, middle, 1);
  // Beyond the ends of the warp lies an element that no lane holds.
  if (lane == 0) left = i > 0 && i < n ? x[i - 1] : 0.0F;
  if (lane == 31) right = i + 1 < n ? x[i + 1] : 0.0F;
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
