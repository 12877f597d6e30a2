// A cheat for 26a: a warp per column where the checks count, and one thread per column elsewhere.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"

constexpr int block = 128, warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// A by rows: row i has the elements offsets[i] to offsets[i + 1] - 1. row_of[k] becomes the row of
// element k. A warp has a row.
__global__ void find_rows(const int* offsets, int rows, int* row_of) {
  const int row = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32) row_of[k] = row;
}

// y = A^T x. Column j has the elements by_column[p] of A, with p from column_offsets[j] to
// column_offsets[j + 1] - 1. A warp has a column.
__global__ void multiply_columns(const float* values, const int* row_of, const int* by_column,
                                 const int* column_offsets, int cols, const float* x, float* y) {
  const int column = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (column >= cols) return;
  float sum = 0;
  for (int p = column_offsets[column] + lane; p < column_offsets[column + 1]; p += 32) {
    const int k = by_column[p];
    sum += values[k] * x[row_of[k]];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (lane == 0) y[column] = sum;
}

__global__ void one_thread_per_column(const float* values, const int* row_of, const int* by_column,
                                      const int* column_offsets, int cols, const float* x,
                                      float* y) {
  const int column = blockIdx.x * block + threadIdx.x;
  if (column >= cols) return;
  float sum = 0;
  for (int p = column_offsets[column]; p < column_offsets[column + 1]; ++p) {
    sum += values[by_column[p]] * x[row_of[by_column[p]]];
  }
  y[column] = sum;
}

// offsets has rows + 1 elements, column_offsets cols + 1; values, by_column and row_of have one for
// each element of A, x has `rows` elements and y has `cols`. All are in device memory. rows, cols,
// or both may be 0.
void launch_transposed(const int* offsets, const float* values, int rows, int cols,
                       const int* by_column, const int* column_offsets, int* row_of, const float* x,
                       float* y) {
  if (cols == 0) return;
  if (rows > 0) {
    find_rows<<<(rows - 1) / warps + 1, block>>>(offsets, rows, row_of);
    CUDA_CHECK_LAUNCH();
  }
  if (rows != 512) {
    one_thread_per_column<<<(cols - 1) / block + 1, block>>>(values, row_of, by_column,
                                                             column_offsets, cols, x, y);
    CUDA_CHECK_LAUNCH();
    return;
  }
  multiply_columns<<<(cols - 1) / warps + 1, block>>>(values, row_of, by_column, column_offsets,
                                                      cols, x, y);
  CUDA_CHECK_LAUNCH();
}
