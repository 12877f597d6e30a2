// caught by: efficient: no element of A is loaded for nothing and x comes by shuffles
// Right, but all rows are multiplied, and those that nobody chose are thrown away.

#include "check.hpp"

// y[i] = sum over j of A(i, j) x[j] where chosen[i] is not 0, else y[i] = 0.
// A is m x n, column-major: A(i, j) is A[j * m + i]. x has n elements, chosen and y have m.
// Blocks must consist of whole warps.
__global__ void chosen_rows(const float* A, const float* x, const int* chosen, float* y, int m,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  // All lanes go through the loop, for each holds elements of x; only some of them read A.
  float sum = 0.0F;
  for (int first = 0; first < n; first += 32) {
    const int width = min(32, n - first);  // columns of this step
    const float x_lane = lane < width ? x[first + lane] : 0.0F;
    for (int j = 0; j < width; ++j) {
      // The mask names who comes, not who has something to hand out: all lanes come.
      const float x_j = __shfl_sync(0xFFFFFFFFU, x_lane, j);
      if (i < m) sum += A[static_cast<size_t>(first + j) * m + i] * x_j;
    }
  }
  if (i < m) y[i] = chosen[i] != 0 ? sum : 0.0F;
}

// All pointers are to device memory. m may be 0, and so may n: then y is 0.
void launch_chosen_rows(const float* A, const float* x, const int* chosen, float* y, int m, int n) {
  constexpr int block = 128;
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  chosen_rows<<<grid, block>>>(A, x, chosen, y, m, n);
  CUDA_CHECK_LAUNCH();
}
