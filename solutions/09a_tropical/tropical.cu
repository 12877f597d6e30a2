//@stub
//@ // Exercise 09a: the shortest paths over one stop, by tiles, four steps at a time.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 09a
//@solution
// Exercise 09a: the shortest paths over one stop, by tiles, four steps at a time. The model
// solution.
//
// All threads of a row want the same four neighbours of A's tile: one load of 16 bytes brings them,
// where four of 4 bytes did. And what does nothing in a minimum is not 0, but infinity.
//@end

#include <cmath>

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 32;

// C(row, col) = minimum over p of A(row, p) + B(p, col); infinity if k = 0. One thread per element.
// A is m x k, B is k x n, C is m x n; all are row-major, without gaps.
__global__ void shortest(const float* A, const float* B, float* C, int m, int n, int k) {
  //@stub
  //@ // TODO ({lines} lines): the two tiles; this thread's element of C, if it has one; the walk along
  //@ // k. INFINITY is infinity as a float, fminf(a, b) the smaller of two floats.
  //@solution
  __shared__ alignas(16) float A_tile[tile][tile];  // so that every fourth element is aligned
  __shared__ float B_tile[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  float best = INFINITY;
  for (int first = 0; first < k; first += tile) {
    // What is beyond an edge must not be the shortest path.
    A_tile[y][x] = row < m && first + x < k ? A[at(row, first + x, k)] : INFINITY;
    B_tile[y][x] = first + y < k && col < n ? B[at(first + y, col, n)] : INFINITY;
    __syncthreads();  // the tiles are complete before anyone reads them
    // No remainder: 32 is a multiple of 4.
    for (int p = 0; p < tile; p += 4) {
      const float4 a = *reinterpret_cast<const float4*>(&A_tile[y][p]);
      best = fminf(best, a.x + B_tile[p][x]);
      best = fminf(best, a.y + B_tile[p + 1][x]);
      best = fminf(best, a.z + B_tile[p + 2][x]);
      best = fminf(best, a.w + B_tile[p + 3][x]);
    }
    __syncthreads();  // and read by all before anyone overwrites them
  }
  if (row < m && col < n) C[at(row, col, n)] = best;
  //@end
}

// All pointers are to device memory. m, n and k may be 0.
// m is 65535 * 32 at most: one grid is enough.
void launch_shortest(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  shortest<<<grid, dim3(tile, tile)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
