// Exercise 11a: a square matrix becomes its own transpose. README.md beside this file says what is
// asked for.
//
// TODO: write the kernel and its launch. Then:   ./course check 11a

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, lda): where an element is in rows that are lda apart

constexpr int tile = 32;       // rows and columns of a tile
constexpr int block_rows = 8;  // a block is 32 x 8 threads: each has four elements of a tile
static_assert(tile % block_rows == 0, "no thread is left without one of them");

// A is n x n. Its rows are lda >= n elements apart, and what is between them is not ours.
__global__ void transpose_in_place(float* A, int n, int lda) {
  // TODO (about 16 lines): the tiles of this block's pair come into shared memory row by row;
  // then each goes, transposed, to where the other was. On the diagonal there is only one.
}

// A is in device memory and ends with the last element of its last row. n may be 0.
void launch_transpose_in_place(float* A, int n, int lda) {
  // TODO (4 lines): the grid. Nothing is launched for n = 0.
}
