// A cheat for 08a: reads a column that is in one bank by atomic operations that change nothing.
// expected: correct 5, safe 2, efficient 0
// told: bank conflicts

#include "check.hpp"
#include "row_major.hpp"

using course::at;

constexpr int tile = 32;

__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float a[tile][tile];
  __shared__ unsigned b[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  const int fetched = blockIdx.x * tile + y;
  float sum = 0;
  for (int first = 0; first < k; first += tile) {
    const bool is_inside = first + x < k;
    a[y][x] = row < m && is_inside ? A[at(row, first + x, k)] : 0.0F;
    b[y][x] = __float_as_uint(fetched < n && is_inside ? B[at(fetched, first + x, k)] : 0.0F);
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += a[y][p] * __uint_as_float(atomicAdd(&b[x][p], 0U));
    __syncthreads();
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}
void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  product<<<dim3((n - 1) / tile + 1, (m - 1) / tile + 1), dim3(tile, tile)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
