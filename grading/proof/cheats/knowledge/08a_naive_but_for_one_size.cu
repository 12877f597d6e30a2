// A cheat for 08a: no tiles, but for the size whose traffic is counted.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 32;
static_assert(tile * tile <= 1024, "a block has no more threads than that");

// C(row, col) = sum over p of A(row, p) B(col, p).
// A is m x k, B is n x k, C is m x n; all are row-major, without gaps.
__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[tile][tile];
  // One element more a row. Element (j, p) is in bank (33 j + p) mod 32 = (j + p) mod 32: as j
  // runs over a warp, so do the banks. With rows of 32 it would be bank p for all of them.
  __shared__ float B_tile[tile][tile + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  const int fetched = blockIdx.x * tile + y;  // the row of B: y counts it, as it counts A's

  float sum = 0.0F;
  for (int first = 0; first < k; first += tile) {
    A_tile[y][x] = row < m && first + x < k ? A[at(row, first + x, k)] : 0.0F;
    B_tile[y][x] = fetched < n && first + x < k ? B[at(fetched, first + x, k)] : 0.0F;
    __syncthreads();  // the tiles are complete before anyone reads them
    for (int p = 0; p < tile; ++p) sum += A_tile[y][p] * B_tile[x][p];
    __syncthreads();  // and read by all before anyone overwrites them
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

__global__ void slow(const float* A, const float* B, float* C, int m, int n, int k) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
  if (col >= n) return;
  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(col, p, k)];
  C[at(row, col, n)] = sum;
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 32 at most: one grid is enough.
void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  if (!(m == 64 && n == 96 && k == 128)) {
    if (m == 0 || n == 0) return;
    slow<<<dim3((n - 1) / 32 + 1, m), 32>>>(A, B, C, m, n, k);
    CUDA_CHECK_LAUNCH();
    return;
  }
  if (m == 0 || n == 0) return;  // a grid of no blocks is an error
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  product<<<grid, dim3(tile, tile)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
