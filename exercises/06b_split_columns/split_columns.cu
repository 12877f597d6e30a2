// Exercise 06b, a bug hunt: y = A x from column-major A, the columns split among warps and blocks.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 06b

#include "check.hpp"

constexpr int warp = 32;  // rows of a block: one a lane
constexpr int warps = 8;  // of a block: they take turns at the columns of the block's piece

// y(i) += sum over the columns j of a piece of A(i, j) x(j).
// A is m x n, column-major: A(i, j) is A[j * m + i]. Blocks (b, 0), (b, 1), ... share the rows
// 32 b .. 32 b + 31; block (b, p) has columns p * width .. (p + 1) * width - 1, as far as there
// are. Within a block, warp w has the columns w, w + 8, w + 16, ... of the piece.
__global__ void multiply_piece(const float* A, const float* x, float* y, int m, int n, int width) {
  __shared__ float partial[warps][warp];
  const int lane = threadIdx.x;
  const int this_warp = threadIdx.y;
  const int row = blockIdx.x * warp + lane;
  const int first = blockIdx.y * width;
  const int last = first + width;

  float sum = 0.0F;
  if (row < m) {
    const auto term = [&](int j) { return A[static_cast<size_t>(j) * m + row] * x[j]; };
    int j = first + this_warp;
    for (; j + 3 * warps < last; j += 4 * warps) {  // four columns at once: four loads in flight
      sum += term(j) + term(j + 1) + term(j + 2) + term(j + 3);
    }
  }

  partial[this_warp][lane] = sum;
  __syncthreads();
  if (this_warp != 0 || row >= m) return;
  for (int w = 1; w < warps; ++w) sum += partial[w][lane];
  y[row] += sum;
}

// All pointers are to device memory. m and n may be 0. The columns are split among `pieces` blocks,
// 1 or more; some may be left without any.
void launch_split_columns(const float* A, const float* x, float* y, int m, int n, int pieces) {
  if (m == 0) return;
  const int width = (n + pieces - 1) / pieces;
  const dim3 grid((m - 1) / warp + 1, pieces);
  const dim3 block(warp, warps);
  multiply_piece<<<grid, block>>>(A, x, y, m, n, width);
  CUDA_CHECK_LAUNCH();
}
