// caught by: efficient: two barriers a tile and every element fetched once a block
// Right, but without tiles: every element is fetched by every thread that needs it.

#include "check.hpp"
#include "gemm_grid.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int rows = 8;   // of C that a block computes
constexpr int cols = 32;  // of C that a block computes

// C(row, col) = sum over p of A(row, p) B(p, col), with one thread an element of C.
// A is m x k, B is k x n, C is m x n; all lie row after row, without gaps.
__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * cols + x;
  const int row = blockIdx.y * rows + y;

  if (row >= m || col >= n) return;
  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(p, col, n)];
  C[at(row, col, n)] = sum;
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 8 at most: one grid is enough.
void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / cols + 1, (m - 1) / rows + 1);
  product<<<grid, dim3(cols, rows)>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
