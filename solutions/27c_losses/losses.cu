//@stub
//@ // Exercise 27c: the loss of each row, from one read of the matrix.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 27c
//@solution
// Exercise 27c: the loss of each row, from one read of the matrix. The model solution.
//@end

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
  //@stub
  //@ // TODO ({lines} lines): neither may overflow, and a part without an element has the maximum
  //@ // minus infinity and the sum 0.
  //@ return a;
  //@solution
  const float max = fmaxf(a.max, b.max);
  if (max == -INFINITY) return {max, 0.0F};
  return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
  //@end
}

// A block has a row: losses[row] = log(sum of e^x) - x[target], or 0 where the target is negative.
__global__ void row_losses(const float* x, const int* targets, int cols, float* losses) {
  //@stub
  //@ // TODO ({lines} lines): each thread has every 256th element; then the lanes of a warp, and then
  //@ // the warps, put together what they have.
  //@solution
  __shared__ MaxSum of_warps[warps];
  const int target = targets[blockIdx.x];
  if (target < 0) {  // all threads of the block leave
    if (threadIdx.x == 0) losses[blockIdx.x] = 0.0F;
    return;
  }
  const float* const row = x + static_cast<size_t>(blockIdx.x) * cols;
  MaxSum own = {-INFINITY, 0.0F};
  for (int j = threadIdx.x; j < cols; j += block) own = merged(own, {row[j], 1.0F});
  for (int distance = 16; distance > 0; distance /= 2) {
    own = merged(own, {__shfl_xor_sync(all_lanes, own.max, distance),
                       __shfl_xor_sync(all_lanes, own.sum, distance)});
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < warps; ++w) own = merged(own, of_warps[w]);
  losses[blockIdx.x] = logf(own.sum) - (row[target] - own.max);
  //@end
}

// x has rows * cols numbers, row by row; targets has a column for each row, or -1: that row does
// not count, and its loss is 0. All arrays are in device memory. rows may be 0, cols may not.
void launch_losses(const float* x, const int* targets, int rows, int cols, float* losses) {
  if (rows == 0) return;
  row_losses<<<rows, block>>>(x, targets, cols, losses);
  CUDA_CHECK_LAUNCH();
}
