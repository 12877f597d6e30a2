//@stub
//@ // Exercise 19a: a bug hunt. C = A B^T, and thoughts about banks.
//@ //
//@ // README.md beside this file says what shows. TODO: mend it, here in this file. Then:
//@ // ./course check 19a
//@solution
// Exercise 19a: C = A B^T, without a conflict. The model solution.
//
// Step p of a tile is turned by 2 p places: a warp stores 16 steps of two neighbours, and so in 32
// banks. It is turned within all of its 64 places, and none is used twice. And the 16 threads that
// read B together have neighbouring columns.
//@end

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 64;   // rows, and columns, of C that a block computes
constexpr int depth = 16;  // steps of k that a tile holds

// Where element i of a tile at step p of k is: a row of A, or of B. Each step begins 2 banks
// further on, so that what a warp stores is in different banks.
__device__ int place(int p, int i) {
  //@stub
  //@ return p * tile + (i + 2 * p) % 32;
  //@solution
  return p * tile + (i + 2 * p) % tile;
  //@end
}

// The 4 x 4 elements of C that thread (x, y) of 16 x 16 has: row i of them, and column j.
__device__ int row_of(int y, int i) {
  return 4 * y + i;
}
__device__ int col_of(int x, int j) {
  //@stub
  //@ return 4 * x + j;
  //@solution
  return x + 16 * j;
  //@end
}

// Rows `first_row` to first_row + 63 of a matrix with k columns, at 16 steps of k, go to a tile. It
// is there transposed. What is beyond an edge is 0.
__device__ void copy_tile(float* to, const float* from, int first_row, int first, int rows, int k) {
  const int p = threadIdx.x % depth;
  for (int i = threadIdx.x / depth; i < tile; i += 256 / depth) {
    const bool there = first_row + i < rows && first + p < k;
    to[place(p, i)] = there ? from[at(first_row + i, first + p, k)] : 0.0F;
  }
}

// C(row, col) = sum over p of A(row, p) B(col, p), by 256 threads for 64 x 64 elements of C.
// A is m x k, B is n x k, C is m x n; all are row-major, without gaps.
__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  extern __shared__ float shared[];
  float* const A_tile = shared;
  float* const B_tile = shared + depth * tile;
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  const int first_row = blockIdx.y * tile;
  const int first_col = blockIdx.x * tile;

  float sum[4][4] = {};
  for (int first = 0; first < k; first += depth) {
    copy_tile(A_tile, A, first_row, first, m, k);
    copy_tile(B_tile, B, first_col, first, n, k);
    __syncthreads();
    for (int p = 0; p < depth; ++p) {
      float a[4];
      float b[4];
      for (int i = 0; i < 4; ++i) a[i] = A_tile[place(p, row_of(y, i))];
      for (int j = 0; j < 4; ++j) b[j] = B_tile[place(p, col_of(x, j))];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = first_row + row_of(y, i);
      const int col = first_col + col_of(x, j);
      if (row < m && col < n) C[at(row, col, n)] = sum[i][j];
    }
  }
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 64 at most: one grid is enough. A block gets `shared_bytes` bytes of shared memory.
void launch_product(const float* A, const float* B, float* C, int m, int n, int k,
                    int shared_bytes) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  product<<<grid, 256, shared_bytes>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
