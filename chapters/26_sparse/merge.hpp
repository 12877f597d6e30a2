// Chapter 26, third lesson: each thread has equally many rows and elements. The ends of rows and
// the elements are merged: a path of steps "a row ends" and "an element", cut into equal pieces.
#pragma once

#include "rows.hpp"

constexpr int merge_items = 7;  // odd: threads begin in different banks
constexpr int merge_tile = block * merge_items;

// Of the first `diagonal` steps: how many end a row. The others are elements. ends[r] is the
// element at which row r ends, and the elements are numbered from `first` on.
__device__ inline int rows_ended(const int* ends, int rows, int first, int elements, int diagonal) {
  int least = max(diagonal - elements, 0), most = min(diagonal, rows);
  while (least < most) {
    const int middle = least + (most - least) / 2;
    if (ends[middle] <= first + diagonal - 1 - middle) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

// A block's steps. It writes the rows that end within them, and the sum of the row that does not:
// carry_rows[block] and carry_sums[block].
__global__ void __launch_bounds__(block)
    product_merged(Csr A, const float* x, float* y, int* carry_rows, float* carry_sums) {
  __shared__ int ends[merge_tile];
  __shared__ float products[merge_tile];
  __shared__ int open_rows[block];
  __shared__ float open_sums[block];
  __shared__ int begins[2];
  // 64 bits for the sum of rows and elements
  const long long steps = static_cast<long long>(A.rows) + A.elements;
  const long long from = static_cast<long long>(blockIdx.x) * merge_tile;
  const long long to = min(from + merge_tile, steps);
  if (threadIdx.x < 2) {
    begins[threadIdx.x] = rows_ended(A.offsets + 1, A.rows, 0, A.elements,
                                     static_cast<int>(threadIdx.x == 0 ? from : to));
  }
  __syncthreads();
  const int first_row = begins[0], rows = begins[1] - first_row;
  const int first = static_cast<int>(from - first_row);
  const int elements = static_cast<int>(to - begins[1]) - first;
  for (int i = threadIdx.x; i < rows; i += block) ends[i] = A.offsets[first_row + i + 1];
  for (int k = threadIdx.x; k < elements; k += block) {
    products[k] = A.values[first + k] * x[A.columns[first + k]];
  }
  __syncthreads();

  const int begin = min(static_cast<int>(threadIdx.x) * merge_items, rows + elements);
  const int end = min(begin + merge_items, rows + elements);
  const int mine = rows_ended(ends, rows, first, elements, begin);
  int row = mine;
  float sum = 0, of_first = 0;  // the first row that ends here may have begun before
  for (int step = begin; step < end; ++step) {
    const int k = step - row;
    if (row < rows && ends[row] <= first + k) {
      if (row == mine) {
        of_first = sum;
      } else {
        y[first_row + row] = sum;
      }
      sum = 0;
      ++row;
    } else {
      sum += products[k];
    }
  }
  open_rows[threadIdx.x] = row;
  open_sums[threadIdx.x] = sum;
  __syncthreads();
  if (row > mine) {
    for (int t = static_cast<int>(threadIdx.x) - 1; t >= 0 && open_rows[t] == mine; --t) {
      of_first += open_sums[t];
    }
    y[first_row + mine] = of_first;
  }
  if (threadIdx.x == block - 1) {
    for (int t = block - 2; t >= 0 && open_rows[t] == row; --t) sum += open_sums[t];
    carry_rows[blockIdx.x] = first_row + row;
    carry_sums[blockIdx.x] = sum;
  }
}

// Adds what blocks had of rows that ended in a later block. A warp has the first of the blocks that
// had the same row, and adds up all of theirs: in the same order every time.
__global__ void __launch_bounds__(block)
    add_carries(const int* carry_rows, const float* carry_sums, int blocks, int rows, float* y) {
  const int first = blockIdx.x * (block / 32) + warp();
  if (first >= blocks) return;
  const int row = carry_rows[first];
  if (row >= rows || (first > 0 && carry_rows[first - 1] == row)) return;
  float sum = 0;
  for (int b = first; b < blocks; b += 32) {
    const int at = b + lane();
    const bool same = at < blocks && carry_rows[at] == row;
    if (same) sum += carry_sums[at];
    if (!__all_sync(all_lanes, same)) break;
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(all_lanes, sum, d);
  if (lane() == 0) y[row] += sum;
}
