//@stub
//@ // Exercise 08b: a bug hunt. C = A B for a flat A, by tiles that are not square.
//@ //
//@ // README.md beside this file says what it is meant to do, and what shows.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 08b
//@solution
// Exercise 08b: C = A B for a flat A, by tiles that are not square. The model solution.
//
// Three things that 32 x 32 x 32 does not need: a row of A has k elements; what is beyond an edge
// is 0 in both tiles; and nobody overwrites a tile that somebody still reads.
//@end

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int rows = 8;    // of C that a block computes
constexpr int cols = 32;   // of C that a block computes
constexpr int depth = 32;  // how far along k a tile of A, and one of B, reaches

// C(row, col) = sum over p of A(row, p) B(p, col), with one thread per element of C.
// A is m x k, B is k x n, C is m x n; all are row-major, without gaps.
__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[rows][depth];
  __shared__ float B_tile[depth][cols];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * cols + x;
  const int row = blockIdx.y * rows + y;

  float sum = 0.0F;
  for (int first = 0; first < k; first += depth) {
    //@stub
    //@ if (row < m && first + x < k) A_tile[y][x] = A[at(row, first + x, n)];
    //@ for (int p = y; p < depth; p += rows) {  // 8 rows of threads fetch 32 rows of B
    //@   if (first + p < k && col < n) B_tile[p][x] = B[at(first + p, col, n)];
    //@ }
    //@ __syncthreads();
    //@ for (int p = 0; p < depth; ++p) sum += A_tile[y][p] * B_tile[p][x];
    //@solution
    // What is beyond an edge is 0: otherwise what the tile held before would be added to sums.
    A_tile[y][x] = row < m && first + x < k ? A[at(row, first + x, k)] : 0.0F;
    for (int p = y; p < depth; p += rows) {  // 8 rows of threads fetch 32 rows of B
      B_tile[p][x] = first + p < k && col < n ? B[at(first + p, col, n)] : 0.0F;
    }
    __syncthreads();  // the tiles are complete before anyone reads them
    for (int p = 0; p < depth; ++p) sum += A_tile[y][p] * B_tile[p][x];
    __syncthreads();  // and read by all before anyone overwrites them
    //@end
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 8 at most: one grid is enough.
void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / cols + 1, (m - 1) / rows + 1);
  product<<<grid, dim3(cols, rows)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
