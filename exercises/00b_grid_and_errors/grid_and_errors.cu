// Exercise 00b, a bug hunt: an image and its mirror image.
//
// README.md beside this file says what it is meant to do. TODO: find the mistakes and mend them.
// Then:   ./course check 00b

#include "check.hpp"

// out(row, col) = in(row, cols - 1 - col), one thread a pixel.
// Device memory: rows x cols pixels, row after row: pixel (row, col) is [row * cols + col].
__global__ void mirror(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t start = static_cast<size_t>(row) * cols;
  out[start + col] = in[start + (cols - 1 - col)];
}

// Both pointers are to device memory. rows may be 0, and so may cols: then there are no pixels.
void launch_mirror(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 block(64, 32);
  const dim3 grid(rows / block.x, cols / block.y);
  mirror<<<grid, block>>>(in, out, rows, cols);
}
