// caught by: efficient: x comes once and its neighbours come from the warp
// Right, but every thread loads all three elements itself.

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
__global__ void smooth(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float middle = i < n ? x[i] : 0.0F;
  const float left = i > 0 && i < n ? x[i - 1] : 0.0F;
  const float right = i + 1 < n ? x[i + 1] : 0.0F;
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
