// Chapter 26, fifth lesson: from one form of the matrix to another, on the device.
#pragma once

#include "rows.hpp"

// The row of each element: a warp writes those of a row.
__global__ void __launch_bounds__(block) rows_of_elements(Csr A, int* row_of) {
  const int row = blockIdx.x * (block / 32) + warp();
  if (row >= A.rows) return;
  for (int k = A.offsets[row] + lane(); k < A.offsets[row + 1]; k += 32) row_of[k] = row;
}

// Back again: an element that is the first of its row writes where that row begins, and where the
// empty rows before it do.
__global__ void __launch_bounds__(block) offsets_of_rows(Coo A, int* offsets) {
  const int k = blockIdx.x * block + threadIdx.x;
  if (k > A.elements) return;
  const int before = k == 0 ? -1 : A.row_of[k - 1];
  const int here = k == A.elements ? A.rows : A.row_of[k];
  for (int row = before + 1; row <= here; ++row) offsets[row] = k;
}

// The longest row of each slice; *longest, 0 before, becomes the longest of all.
__global__ void __launch_bounds__(block) widths_of_slices(Csr A, int* widths, int* longest) {
  const int row = blockIdx.x * block + threadIdx.x;
  int length = row < A.rows ? A.offsets[row + 1] - A.offsets[row] : 0;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) length = max(length, __shfl_xor_sync(all_lanes, length, d));
  if (row >= A.rows || lane() != 0) return;
  widths[row / slice_rows] = length;
  atomicMax(longest, length);
}

// Where slices begin, by one block: the sum of all earlier widths, times 32. begins has one more
// than there are slices.
__global__ void __launch_bounds__(block)
    begins_of_slices(const int* widths, int slices, int* begins) {
  __shared__ int of_threads[block];
  const int share = (slices + block - 1) / block;
  const int first = min(static_cast<int>(threadIdx.x) * share, slices);
  const int last = min(first + share, slices);
  int sum = 0;
  for (int s = first; s < last; ++s) sum += widths[s];
  of_threads[threadIdx.x] = sum;
  __syncthreads();
  int before = 0;
  for (int t = 0; t < static_cast<int>(threadIdx.x); ++t) before += of_threads[t];
  for (int s = first; s < last; ++s) {
    begins[s] = slice_rows * before;
    before += widths[s];
  }
  if (threadIdx.x == block - 1) begins[slices] = slice_rows * before;
}

// A thread moves a row into its column of a slice, or of the whole matrix: `stride` elements from
// one to the next, `width` of them, and behind its own ones padding.
__device__ inline void move_row(const Csr& A, int row, int width, size_t stride, int* columns,
                                float* values) {
  const int begin = A.offsets[row], length = A.offsets[row + 1] - begin;
  for (int k = 0; k < width; ++k) {
    columns[k * stride] = k < length ? A.columns[begin + k] : padding;
    values[k * stride] = k < length ? A.values[begin + k] : 0;
  }
}

__global__ void __launch_bounds__(block) to_ell(Csr A, int width, int* columns, float* values) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row < A.rows) move_row(A, row, width, A.rows, columns + row, values + row);
}

// Rows that fill up the last slice are padding.
__global__ void __launch_bounds__(block)
    to_sliced_ell(Csr A, const int* begins, int* columns, float* values) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= A.rows) return;
  const int begin = begins[row / slice_rows], end = begins[row / slice_rows + 1];
  const int at = begin + row % slice_rows;
  move_row(A, row, (end - begin) / slice_rows, slice_rows, columns + at, values + at);
}
