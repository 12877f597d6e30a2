// Exercise 11b: a bug hunt. B = Aᵀ for any rectangle, through a tile.
//
// README.md beside this file says what it is meant to do, and what shows.
// TODO: find the mistakes and mend them. Then:   ./course check 11b

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 32;       // rows and columns of a tile
constexpr int block_rows = 8;  // a block is 32 x 8 threads: each has four elements of a tile

// A is m x n and B is n x m, both row-major without gaps: B(x, y) = A(y, x). Tiles cover A
// as blocks cover the grid, x along its rows.
__global__ void transpose(const float* A, float* B, int m, int n) {
  const int x0 = blockIdx.x * tile;
  const int y0 = blockIdx.y * tile;
  const int j = threadIdx.x;
  if (x0 + j >= n) return;  // no column of A for this thread
  __shared__ float part[tile][tile];
  for (int i = threadIdx.y; i < tile; i += block_rows) {
    if (y0 + i < n) part[i][j] = A[at(y0 + i, x0 + j, n)];
  }
  __syncthreads();
  for (int i = threadIdx.y; i < tile; i += block_rows) {
    if (y0 + i < m) B[at(x0 + j, y0 + i, n)] = part[i][j];
  }
}

// Both pointers are to device memory. m and n may be 0. m is 65535 * 32 at most: one grid is
// enough.
void launch_transpose(const float* A, float* B, int m, int n) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  transpose<<<grid, dim3(tile, block_rows)>>>(A, B, m, n);
  CUDA_CHECK_LAUNCH();
}
