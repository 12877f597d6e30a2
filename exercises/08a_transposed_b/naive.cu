// What exercise 08a is compared with on a GPU: no tiles, and B read a row's length apart.

#include "check.hpp"
#include "row_major.hpp"

using course::at;

__global__ void product_without_tiles(const float* A, const float* B, float* C, int m, int n,
                                      int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(col, p, k)];
  C[at(row, col, n)] = sum;
}

void launch_naive(const float* A, const float* B, float* C, int m, int n, int k) {
  const dim3 grid((n - 1) / 32 + 1, (m - 1) / 32 + 1);
  product_without_tiles<<<grid, dim3(32, 32)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
