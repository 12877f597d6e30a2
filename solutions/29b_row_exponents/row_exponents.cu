//@stub
//@ // Exercise 29b: rows of floats as halves, each row times a power of two.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 29b
//@solution
// Exercise 29b: rows of floats as halves, each row times a power of two. The model solution.
//@end

#include <cuda_fp16.h>

#include <cmath>

#include "check.hpp"

constexpr int block = 128;
constexpr int top = 15;  // the largest number of a row is below 2^15, and not below 2^14
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// A warp has a row: it finds the row's exponent, and writes the row times 2^exponent.
__global__ void scale_rows(const float* A, int rows, int cols, __half* scaled, int* exponents) {
  const int row = (blockIdx.x * block + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * cols;
  //@stub
  //@ // TODO ({lines} lines): the largest magnitude of the row, for each lane; its exponent; the row as
  //@ // halves; the exponent of the row.
  //@solution
  float largest = 0.0F;
  for (int j = lane; j < cols; j += 32) largest = fmaxf(largest, fabsf(A[first + j]));
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(all_lanes, largest, distance));
  }
  int exponent = 0;
  if (largest > 0.0F) exponent = top - 1 - ilogbf(largest);
  for (int j = lane; j < cols; j += 32) {
    scaled[first + j] = __float2half(ldexpf(A[first + j], exponent));
  }
  if (lane == 0) exponents[row] = exponent;
  //@end
}

// A and scaled have rows * cols numbers, row by row, and exponents one per row; all are in device
// memory. Numbers of A are 0, or from 2^-100 to 2^100 in magnitude. rows and cols may be 0.
void launch_scale_rows(const float* A, int rows, int cols, __half* scaled, int* exponents) {
  if (rows == 0) return;
  scale_rows<<<(rows - 1) / (block / 32) + 1, block>>>(A, rows, cols, scaled, exponents);
  CUDA_CHECK_LAUNCH();
}
