//@stub
//@ // Exercise 00b, a bug hunt: an image and its mirror image.
//@ //
//@ // README.md beside this file says what it is meant to do. TODO: find the mistakes and mend them.
//@ // Then:   ./course check 00b
//@solution
// Exercise 00b, a bug hunt: an image and its mirror image. The model solution.
//
// x runs along a row, in the kernel and in the grid. The grid is rounded up, so there are threads
// without a pixel, and a launch that CUDA refuses says nothing until somebody asks.
//@end

#include "check.hpp"

// out(row, col) = in(row, cols - 1 - col), one thread a pixel.
// Device memory: rows x cols pixels, row after row: pixel (row, col) is [row * cols + col].
__global__ void mirror(const float* in, float* out, int rows, int cols) {
  //@stub
  //@ const int row = blockIdx.x * blockDim.x + threadIdx.x;
  //@ const int col = blockIdx.y * blockDim.y + threadIdx.y;
  //@ const size_t start = static_cast<size_t>(row) * cols;
  //@ out[start + col] = in[start + (cols - 1 - col)];
  //@solution
  // x, whose threads are neighbours in a warp, belongs to the columns, which are neighbours in
  // memory. That the warp reads them backwards costs nothing.
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;  // the last blocks may reach beyond either edge
  const size_t start = static_cast<size_t>(row) * cols;
  out[start + col] = in[start + (cols - 1 - col)];
  //@end
}

// Both pointers are to device memory. rows may be 0, and so may cols: then there are no pixels.
void launch_mirror(const float* in, float* out, int rows, int cols) {
  //@stub
  //@ if (rows == 0 || cols == 0) return;
  //@ const dim3 block(64, 32);
  //@ const dim3 grid(rows / block.x, cols / block.y);
  //@ mirror<<<grid, block>>>(in, out, rows, cols);
  //@solution
  if (rows == 0 || cols == 0) return;
  const dim3 block(32, 8);  // 256 threads; a block has at most 1024
  const dim3 grid((cols - 1) / block.x + 1, (rows - 1) / block.y + 1);
  mirror<<<grid, block>>>(in, out, rows, cols);
  CUDA_CHECK_LAUNCH();  // without it, a launch that is refused goes unnoticed
  //@end
}
