// Chapter 26, second lesson: the same product with other forms of the matrix.
#pragma once

#include "rows.hpp"

// A thread has an element. y is 0 before. Additions come in any order: with data that rounds, the
// last bits differ from run to run.
__global__ void __launch_bounds__(block) product_coo(Coo A, const float* x, float* y) {
  const int k = blockIdx.x * block + threadIdx.x;
  if (k < A.elements) atomicAdd(&y[A.row_of[k]], A.values[k] * x[A.columns[k]]);
}

// A thread has a row, and its neighbours' elements are its own elements' neighbours. Padding ends a
// row.
__global__ void __launch_bounds__(block) product_ell(Ell A, const float* x, float* y) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= A.rows) return;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < A.width; ++k) {
    const size_t at = static_cast<size_t>(k) * A.rows + row;
    const int column = A.columns[at];
    if (column != padding) sum += A.values[at] * x[column];
  }
  y[row] = sum;
}

// The same; a warp has a slice.
__global__ void __launch_bounds__(block) product_sliced_ell(SlicedEll A, const float* x, float* y) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= A.rows) return;
  const int slice = row / slice_rows, end = A.begins[slice + 1];
  float sum = 0;
#pragma unroll 8
  for (int at = A.begins[slice] + row % slice_rows; at < end; at += slice_rows) {
    const int column = A.columns[at];
    if (column != padding) sum += A.values[at] * x[column];
  }
  y[row] = sum;
}
