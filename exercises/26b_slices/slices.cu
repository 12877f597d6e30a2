// Exercise 26b: a bug hunt. A sparse matrix in slices of 32 rows, and the product with it.
//
// README.md beside this file says what it is meant to do.
// TODO: find what is wrong and mend it. Then:   ./course check 26b

#include "check.hpp"

constexpr int block = 128;
constexpr int slice = 32;    // rows
constexpr int padding = -1;  // the column of what is no element
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The longest row of each slice.
__global__ void widths_of_slices(const int* offsets, int rows, int* widths) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= rows) return;
  int length = offsets[row + 1] - offsets[row];
  for (int d = 8; d > 0; d /= 2) length = max(length, __shfl_xor_sync(all_lanes, length, d));
  if (threadIdx.x % slice == 0) widths[row / slice] = length;
}

// Where each slice begins: one thread is enough for the few slices of this exercise.
__global__ void begins_of_slices(const int* widths, int slices, int* begins) {
  begins[0] = 0;
  for (int s = 0; s < slices; ++s) begins[s + 1] = begins[s] + slice * widths[s];
}

// Element k of a row is at begins[its slice] + k * 32 + its place in the slice.
__global__ void fill_slices(const int* offsets, const int* columns, const float* values, int rows,
                            const int* begins, int* sliced_columns, float* sliced_values) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= rows) return;
  const int end = begins[row / slice + 1];
  int k = offsets[row];
  for (int at = begins[row / slice] + row % slice; at < end; at += slice, ++k) {
    const bool is_element = k < offsets[row + 1];
    sliced_columns[at] = is_element ? columns[k] : padding;
    sliced_values[at] = is_element ? values[k] : 0;
  }
}

__global__ void multiply_slices(const int* begins, const int* sliced_columns,
                                const float* sliced_values, int rows, const float* x, float* y) {
  const int row = blockIdx.x * block + threadIdx.x;
  if (row >= rows) return;
  const int end = begins[row / slice + 1];
  float sum = 0;
  for (int at = begins[row / slice] + row % slice; at < end; at += slice) {
    const int column = sliced_columns[at];
    const float factor = x[column];
    if (column == padding) break;
    sum += sliced_values[at] * factor;
  }
  y[row] = sum;
}

// A by rows: offsets has rows + 1 elements. widths has one element for each slice, begins has one
// more, and sliced_columns and sliced_values have room for the slices. All are in device memory.
// rows may be 0.
void launch_slices(const int* offsets, const int* columns, const float* values, int rows,
                   int* widths, int* begins, int* sliced_columns, float* sliced_values,
                   const float* x, float* y) {
  if (rows == 0) return;
  const int blocks = (rows - 1) / block + 1;
  widths_of_slices<<<blocks, block>>>(offsets, rows, widths);
  CUDA_CHECK_LAUNCH();
  begins_of_slices<<<1, 1>>>(widths, (rows - 1) / slice + 1, begins);
  CUDA_CHECK_LAUNCH();
  fill_slices<<<blocks, block>>>(offsets, columns, values, rows, begins, sliced_columns,
                                 sliced_values);
  CUDA_CHECK_LAUNCH();
  multiply_slices<<<blocks, block>>>(begins, sliced_columns, sliced_values, rows, x, y);
  CUDA_CHECK_LAUNCH();
}
