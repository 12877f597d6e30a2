//@stub
//@ // Exercise 04b: a bug hunt. How far is each row of A from x?
//@ //
//@ // README.md beside this file says what the code below is meant to do. Find the mistakes and mend
//@ // them. Then:   ./course check 04b
//@solution
// Exercise 04b: how far is each row of A from x? The model solution of the bug hunt.
//
// What was wrong: threads without a row left at once, and their elements of x were missing; nobody
// waited until the tile had been used before the next one was loaded over it; and the loop over the
// tiles left out a last one that was not full.
//@end

#include "check.hpp"

constexpr int block = 128;  // threads a block
constexpr int tile = 128;   // columns a tile

// y[i] = sum over j of |A(i, j) - x[j]|.
// A is m x n, column-major: A(i, j) is A[j * m + i]. x has n elements, y has m.
__global__ void distances(const float* A, const float* x, float* y, int m, int n) {
  __shared__ float x_tile[tile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  //@stub
  //@ if (i >= m) return;
  //@
  //@ float sum = 0.0F;
  //@ for (int first = 0; first + tile <= n; first += tile) {
  //@   for (int j = threadIdx.x; j < tile; j += blockDim.x) x_tile[j] = x[first + j];
  //@   __syncthreads();
  //@   for (int j = 0; j < tile; ++j) {
  //@     sum += fabsf(A[static_cast<size_t>(first + j) * m + i] - x_tile[j]);
  //@   }
  //@ }
  //@ y[i] = sum;
  //@solution
  // No early return: a thread without a row still helps to load the tiles.
  float sum = 0.0F;
  for (int first = 0; first < n; first += tile) {
    const int width = min(tile, n - first);  // the last tile may be ragged
    for (int j = threadIdx.x; j < width; j += blockDim.x) x_tile[j] = x[first + j];
    __syncthreads();  // the tile is complete before anyone reads it
    if (i < m) {
      for (int j = 0; j < width; ++j) {
        sum += fabsf(A[static_cast<size_t>(first + j) * m + i] - x_tile[j]);
      }
    }
    __syncthreads();  // and read by all before anyone overwrites it
  }
  if (i < m) y[i] = sum;
  //@end
}

// All pointers are to device memory. m may be 0, and so may n: then y is 0.
void launch_distances(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  distances<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}
