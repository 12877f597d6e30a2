//@stub
//@ // Exercise 27a: a bug hunt. The softmax of each row, by an online sum.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 27a
//@solution
// Exercise 27a: the softmax of each row, by an online sum. The model solution of the bug hunt.
//
// What was wrong: a thread's maximum began at 0, so rows far below 0 became 0 / 0. Of two sums, one
// was scaled by the other's maximum. Two parts without a finite number made a NaN of infinity less
// infinity. And warps that were done with a row overwrote what others still read.
//@end

#include <cmath>

#include "check.hpp"

constexpr int block = 128, warps = block / 32;
constexpr int most_blocks = 8;  // a block has several rows, if there are more
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Of some elements of a row: the maximum, and the sum of e^(x - max). If none of them is finite,
// max is minus infinity and sum is 0.
struct MaxSum {
  float max, sum;
};

// Of two parts of a row, those of both together.
__device__ MaxSum merged(MaxSum a, MaxSum b) {
  const float max = fmaxf(a.max, b.max);
  //@stub
  //@ return {max, a.sum * expf(a.max - max) + b.sum * expf(a.max - max)};
  //@solution
  if (max == -INFINITY) return {max, 0.0F};
  return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
  //@end
}

// Of all lanes of a warp, for each of them.
__device__ MaxSum of_warp(MaxSum lane) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const MaxSum other = {__shfl_xor_sync(all_lanes, lane.max, distance),
                          __shfl_xor_sync(all_lanes, lane.sum, distance)};
    lane = merged(lane, other);
  }
  return lane;
}

// y = softmax(x) of each row; a block has every gridDim.x-th row.
__global__ void softmax_rows(const float* x, int rows, int cols, float* y) {
  __shared__ MaxSum of_warps[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const size_t first = static_cast<size_t>(row) * cols;
    //@stub
    //@ MaxSum own = {0.0F, 0.0F};
    //@solution
    MaxSum own = {-INFINITY, 0.0F};
    //@end
    for (int j = threadIdx.x; j < cols; j += block) own = merged(own, {x[first + j], 1.0F});
    own = of_warp(own);
    if (lane == 0) of_warps[warp] = own;
    __syncthreads();
    MaxSum all = of_warps[0];
    for (int w = 1; w < warps; ++w) all = merged(all, of_warps[w]);
    for (int j = threadIdx.x; j < cols; j += block) {
      y[first + j] = expf(x[first + j] - all.max) / all.sum;
    }
    //@stub
    //@solution
    __syncthreads();
    //@end
  }
}

// x and y have rows * cols elements, row by row, and are in device memory. Each row of x has at
// least one finite number; the others may be minus infinity. rows may be 0.
void launch_softmax_rows(const float* x, int rows, int cols, float* y) {
  if (rows == 0) return;
  const int blocks = rows < most_blocks ? rows : most_blocks;
  softmax_rows<<<blocks, block>>>(x, rows, cols, y);
  CUDA_CHECK_LAUNCH();
}
