// A cheat for 27c: one pass where the checks count, two passes elsewhere.
// expected: correct 6, safe 2, efficient 0

#include <cmath>

#include "check.hpp"

constexpr int block = 256, warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The maximum of some elements, and the sum of e^(x - max).
struct MaxSum {
  float max, sum;
};

// Of two parts of a row, those of both together.
__device__ MaxSum merged(MaxSum a, MaxSum b) {
  const float max = fmaxf(a.max, b.max);
  if (max == -INFINITY) return {max, 0.0F};
  return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
}

// A block has a row: losses[row] = log(sum of e^x) - x[target], or 0 where the target is negative.
__global__ void row_losses(const float* x, const int* targets, int cols, float* losses) {
  __shared__ MaxSum of_warps[warps];
  const int target = targets[blockIdx.x];
  if (target < 0) {  // all threads of the block leave
    if (threadIdx.x == 0) losses[blockIdx.x] = 0.0F;
    return;
  }
  const float* const row = x + static_cast<size_t>(blockIdx.x) * cols;
  MaxSum own = {-INFINITY, 0.0F};
  if (cols == 4096) {
    for (int j = threadIdx.x; j < cols; j += block) own = merged(own, {row[j], 1.0F});
  } else {  // a pass for the maximum, and one for the sum
    for (int j = threadIdx.x; j < cols; j += block) own.max = fmaxf(own.max, row[j]);
    for (int j = threadIdx.x; j < cols && own.max > -INFINITY; j += block) {
      own.sum += expf(row[j] - own.max);
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    own = merged(own, {__shfl_xor_sync(all_lanes, own.max, distance),
                       __shfl_xor_sync(all_lanes, own.sum, distance)});
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < warps; ++w) own = merged(own, of_warps[w]);
  losses[blockIdx.x] = logf(own.sum) - (row[target] - own.max);
}

// x has rows * cols numbers, row by row; targets has a column for each row, or -1: that row does
// not count, and its loss is 0. All arrays are in device memory. rows may be 0, cols may not.
void launch_losses(const float* x, const int* targets, int rows, int cols, float* losses) {
  if (rows == 0) return;
  row_losses<<<rows, block>>>(x, targets, cols, losses);
  CUDA_CHECK_LAUNCH();
}
