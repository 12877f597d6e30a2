// caught by: efficient: no detour by way of shared memory
// Right, but the elements go through shared memory and a barrier.

#include "check.hpp"

// y[i] = x[i - 1] + 2 x[i] + x[i + 1], where x[-1] and x[n] count as 0.
// x and y have n elements each. Blocks must consist of whole warps.
constexpr int block = 128;

__global__ void smooth(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  __shared__ float part[block + 2];
  const float middle = i < n ? x[i] : 0.0F;
  part[t + 1] = middle;
  if (t == 0) part[0] = i > 0 ? x[i - 1] : 0.0F;
  if (t == block - 1) part[block + 1] = i + 1 < n ? x[i + 1] : 0.0F;
  __syncthreads();
  const float left = part[t];
  const float right = part[t + 2];
  if (i < n) y[i] = left + 2.0F * middle + right;
}

// x and y are device memory. n may be 0: then there is nothing to do.
void launch_smooth(const float* x, float* y, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  const int grid = (n - 1) / block + 1;
  smooth<<<grid, block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}
