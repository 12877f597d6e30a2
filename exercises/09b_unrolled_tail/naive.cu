// What exercise 09b is compared with on a GPU: right, but all lanes of a warp find their elements
// of Q's tile in one bank.

#include "check.hpp"
#include "row_major.hpp"

using course::at;

constexpr int tile = 32;

__global__ void distances_with_conflicts(const float* P, const float* Q, float* D, int m, int n,
                                         int d) {
  __shared__ float P_tile[tile][tile];
  __shared__ float Q_tile[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  const int fetched = blockIdx.x * tile + y;

  float sum = 0.0F;
  for (int first = 0; first < d; first += tile) {
    P_tile[y][x] = row < m && first + x < d ? P[at(row, first + x, d)] : 0.0F;
    Q_tile[y][x] = fetched < n && first + x < d ? Q[at(fetched, first + x, d)] : 0.0F;
    __syncthreads();
    for (int p = 0; p < tile; ++p) {
      const float e = P_tile[y][p] - Q_tile[x][p];
      sum += e * e;
    }
    __syncthreads();
  }
  if (row < m && col < n) D[at(row, col, n)] = sum;
}

void launch_naive(const float* P, const float* Q, float* D, int m, int n, int d) {
  const dim3 grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  distances_with_conflicts<<<grid, dim3(tile, tile)>>>(P, Q, D, m, n, d);
  CUDA_CHECK_LAUNCH();
}
