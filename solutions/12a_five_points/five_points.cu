//@stub
//@ // Exercise 12a: a plate cools: each point becomes a mean of five.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 12a
//@solution
// Exercise 12a: a plate cools: each point becomes a mean of five. The model solution.
//
// A warp walks down a strip of the plate, and needs three of its rows at a time. Each row comes
// from memory once: it is the row below, then the row itself, then the row above. Left and right
// are in the lanes beside; only the strip's two edges are another warp's.
//@end

#include "check.hpp"

constexpr int strip_rows = 32;    // a warp's strip: 32 columns, one lane each, and that many rows
constexpr int warps_a_block = 4;  // one below the other
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Point (row, col) of a plate of m x n points, whose rows begin ld elements apart. What is not on
// the plate is 0.
__device__ float point(const float* x, int row, int col, int m, int n, int ld) {
  //@stub
  //@ // TODO ({lines} lines)
  //@ return 0.0F;
  //@solution
  const bool on_plate = row >= 0 && row < m && col >= 0 && col < n;
  return on_plate ? x[static_cast<size_t>(row) * ld + col] : 0.0F;
  //@end
}

// One sweep from x to y. Blocks are 32 x warps_a_block threads.
__global__ void five_points(const float* x, float* y, int m, int n, int ld) {
  const int lane = threadIdx.x;
  const int col = blockIdx.x * 32 + lane;
  const int first = (blockIdx.y * warps_a_block + threadIdx.y) * strip_rows;
  //@stub
  //@ // TODO ({lines} lines): down the strip, row by row: load the row below, get the points beside
  //@ // from the lanes beside, load what is beyond the strip's edges, store; then go on to the
  //@ // next row, with what is in registers already.
  //@solution
  const int end = min(first + strip_rows, m);
  if (first >= end) return;  // the whole warp: no strip is left for it
  float above = point(x, first - 1, col, m, n, ld);
  float here = point(x, first, col, m, n, ld);
  for (int row = first; row < end; ++row) {
    const float below = point(x, row + 1, col, m, n, ld);
    float left = __shfl_up_sync(all_lanes, here, 1);  // all lanes, also those beside the plate
    float right = __shfl_down_sync(all_lanes, here, 1);
    if (lane == 0 || lane == 31) {  // beyond the strip's edges: one load for both
      const float other = point(x, row, lane == 0 ? col - 1 : col + 1, m, n, ld);
      (lane == 0 ? left : right) = other;
    }
    if (col < n) {
      y[static_cast<size_t>(row) * ld + col] =
          0.5F * here + 0.125F * (above + below + left + right);
    }
    above = here;
    here = below;
  }
  //@end
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
