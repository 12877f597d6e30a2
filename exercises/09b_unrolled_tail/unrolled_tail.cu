// Exercise 09b: a bug hunt. The squared distances of all pairs of points, four steps at a time.
//
// README.md beside this file says what it is meant to do, and what shows.
// TODO: find the mistakes and mend them. Then:   ./course check 09b

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 32;

// D(i, j) = sum over p of (P(i, p) - Q(j, p))^2, with one thread per element of D.
// P is m x d: the coordinates of m points. Q is n x d: those of n points. D is m x n. All are row
// after row, without gaps.
__global__ void distances(const float* P, const float* Q, float* D, int m, int n, int d) {
  __shared__ float P_tile[tile][tile];
  __shared__ float Q_tile[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  const int fetched = blockIdx.x * tile + y;  // the row of Q, fetched along its coordinates

  float sum = 0.0F;
  for (int first = 0; first < d; first += tile) {
    if (first + x < d) {  // beyond the last coordinate the tiles are not filled
      P_tile[y][x] = row < m ? P[at(row, first + x, d)] : 0.0F;
      Q_tile[y][x] = fetched < n ? Q[at(fetched, first + x, d)] : 0.0F;
    }
    __syncthreads();

    // Four sums: no addition has to wait for the one before.
    float sum0 = 0.0F;
    float sum1 = 0.0F;
    float sum2 = 0.0F;
    float sum3 = 0.0F;
    const int steps = min(tile, d - first);
    int p = 0;
    for (; p + 3 < steps; p += 4) {
      const float e0 = P_tile[y][p] - Q_tile[x][p];
      const float e1 = P_tile[y][p + 1] - Q_tile[x][p + 1];
      const float e2 = P_tile[y][p + 2] - Q_tile[x][p + 2];
      const float e3 = P_tile[y][p + 3] - Q_tile[x][p + 3];
      sum0 += e0 * e0;
      sum1 += e1 * e1;
      sum2 += e2 * e2;
      sum3 += e3 * e3;
    }
    sum = (sum0 + sum1) + (sum2 + sum3);
    __syncthreads();
  }
  if (row < m && col < n) D[at(row, col, n)] = sum;
}

// All pointers are to device memory. m, n and d may be 0; with d = 0 every distance is 0.
// m is 65535 * 32 at most: one grid is enough.
void launch_distances(const float* P, const float* Q, float* D, int m, int n, int d) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  distances<<<grid, dim3(tile, tile)>>>(P, Q, D, m, n, d);
  CUDA_CHECK_LAUNCH();
}
