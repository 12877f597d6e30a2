// Chapter 26, sixth lesson: Y = A X with a few columns. An element of A is read once for all.
#pragma once

#include "rows.hpp"

// A warp has a row. X and Y are row-major with `columns` columns; lanes have a column each, and
// 32 / columns elements of A at a time: neighbouring lanes read a row of X.
template <int columns>
__global__ void __launch_bounds__(block) product_columns(Csr A, const float* X, float* Y) {
  const int row = blockIdx.x * (block / 32) + warp();
  if (row >= A.rows) return;
  const int column = lane() % columns, end = A.offsets[row + 1];
  float sum = 0;
#pragma unroll 4
  for (int k = A.offsets[row] + lane() / columns; k < end; k += 32 / columns) {
    sum += A.values[k] * X[static_cast<size_t>(A.columns[k]) * columns + column];
  }
#pragma unroll
  for (int d = 16; d >= columns; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (lane() < columns) Y[static_cast<size_t>(row) * columns + column] = sum;
}
