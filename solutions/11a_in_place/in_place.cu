//@stub
//@ // Exercise 11a: a square matrix becomes its own transpose. README.md beside this file says what is
//@ // asked for.
//@ //
//@ // TODO: write the kernel and its launch. Then:   ./course check 11a
//@solution
// Exercise 11a: a square matrix becomes its own transpose. The model solution.
//
// What is written here has to be read before, there. So a block takes both tiles of a pair, (x, y)
// and (y, x), into shared memory, and only then writes them. On the diagonal the two are one.
//@end

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, lda): where an element is in rows that are lda apart

constexpr int tile = 32;       // rows and columns of a tile
constexpr int block_rows = 8;  // a block is 32 x 8 threads: each has four elements of a tile
static_assert(tile % block_rows == 0, "no thread is left without one of them");

// A is n x n. Its rows are lda >= n elements apart, and what is between them is not ours.
__global__ void transpose_in_place(float* A, int n, int lda) {
  //@stub
  //@ // TODO (about {lines} lines): the tiles of this block's pair come into shared memory row by row;
  //@ // then each goes, transposed, to where the other was. On the diagonal there is only one.
  //@solution
  // Below the diagonal the pair is another block's.
  if (blockIdx.x < blockIdx.y) return;
  // Rows are a word longer than a tile: no two elements of a column are in one bank.
  __shared__ float upper[tile][tile + 1];
  __shared__ float lower[tile][tile + 1];
  const int x0 = blockIdx.x * tile;
  const int y0 = blockIdx.y * tile;
  const bool pair = x0 != y0;
  const int j = threadIdx.x;
  for (int i = threadIdx.y; i < tile; i += block_rows) {
    if (y0 + i < n && x0 + j < n) upper[i][j] = A[at(y0 + i, x0 + j, lda)];
    if (pair && x0 + i < n && y0 + j < n) lower[i][j] = A[at(x0 + i, y0 + j, lda)];
  }
  __syncthreads();  // both tiles have been read: now both may be overwritten
  for (int i = threadIdx.y; i < tile; i += block_rows) {
    if (x0 + i < n && y0 + j < n) A[at(x0 + i, y0 + j, lda)] = upper[j][i];
    if (pair && y0 + i < n && x0 + j < n) A[at(y0 + i, x0 + j, lda)] = lower[j][i];
  }
  //@end
}

// A is in device memory and ends with the last element of its last row. n may be 0.
void launch_transpose_in_place(float* A, int n, int lda) {
  //@stub
  //@ // TODO ({lines} lines): the grid. Nothing is launched for n = 0.
  //@solution
  if (n == 0) return;
  const int tiles = (n - 1) / tile + 1;
  transpose_in_place<<<dim3(tiles, tiles), dim3(tile, block_rows)>>>(A, n, lda);
  CUDA_CHECK_LAUNCH();
  //@end
}
