// A slow version for the checks to compare with: no tile, and a warp writes down a column of B.

#include "check.hpp"
#include "row_major.hpp"

namespace {

__global__ void along_rows_of_A(const float* A, float* B, int m, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) B[course::at(x, y, m)] = A[course::at(y, x, n)];
}

}  // namespace

void launch_naive(const float* A, float* B, int m, int n) {
  const dim3 grid((n - 1) / 32 + 1, (m - 1) / 8 + 1);
  along_rows_of_A<<<grid, dim3(32, 8)>>>(A, B, m, n);
  CUDA_CHECK_LAUNCH();
}
