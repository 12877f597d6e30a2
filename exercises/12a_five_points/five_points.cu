// Exercise 12a: a plate cools: each point becomes a mean of five.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 12a

#include "check.hpp"

constexpr int strip_rows = 32;    // a warp's strip: 32 columns, one lane each, and that many rows
constexpr int warps_a_block = 4;  // one below the other
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Point (row, col) of a plate of m x n points, whose rows begin ld elements apart. What is not on
// the plate is 0.
__device__ float point(const float* x, int row, int col, int m, int n, int ld) {
  // TODO (2 lines)
  return 0.0F;
}

// One sweep from x to y. Blocks are 32 x warps_a_block threads.
__global__ void five_points(const float* x, float* y, int m, int n, int ld) {
  const int lane = threadIdx.x;
  const int col = blockIdx.x * 32 + lane;
  const int first = (blockIdx.y * warps_a_block + threadIdx.y) * strip_rows;
  // TODO (19 lines): down the strip, row by row: load the row below, get the points beside
  // from the lanes beside, load what is beyond the strip's edges, store; then go on to the
  // next row, with what is in registers already.
}

// x and y are in device memory, m rows of n points each; a row begins ld elements after the one
// before, and ld is at least n. m or n may be 0: then there is nothing to do.
void launch_five_points(const float* x, float* y, int m, int n, int ld) {
  if (m == 0 || n == 0) return;
  const dim3 block(32, warps_a_block);
  const dim3 grid((n - 1) / 32 + 1, (m - 1) / (strip_rows * warps_a_block) + 1);
  five_points<<<grid, block>>>(x, y, m, n, ld);
  CUDA_CHECK_LAUNCH();
}
