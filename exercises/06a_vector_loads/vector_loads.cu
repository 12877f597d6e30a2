// Exercise 06a: the squared length of each row, by 16 bytes a load, from rows that start anywhere.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 06a

#include <cstdint>

#include "check.hpp"

constexpr int warp = 32;
constexpr int block = 8 * warp;

// The sum of a value over the lanes of a warp, in every lane. All 32 must call it.
__device__ float warp_sum(float value) {
  for (int distance = warp / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  return value;
}

// s(i) = sum over j of A(i, j) squared, with one warp per row.
// A is m x n, row-major, without gaps: A(i, j) is A[i * n + j]. It starts at a multiple of 4 bytes,
// not of 16: neither A nor any of its rows need be where a float4 may be.
__global__ void squared_lengths(const float* A, float* s, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  const int lane = threadIdx.x % warp;
  if (row >= m) return;  // the whole warp: no lane is missed in the shuffles
  float sum = 0.0F;
  // TODO (12 lines): add to sum this lane's share of the row: of the elements before the first
  // multiple of 16 bytes, of the float4 from there on, and of the elements that are left.
  sum = warp_sum(sum);
  if (lane == 0) s[row] = sum;
}

// All pointers are to device memory. m may be 0, and so may n: then each length is 0.
void launch_squared_lengths(const float* A, float* s, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int rows_a_block = block / warp;
  squared_lengths<<<(m - 1) / rows_a_block + 1, block>>>(A, s, m, n);
  CUDA_CHECK_LAUNCH();
}
