// caught by: correct: a launch that CUDA refuses is reported
// The second mistake left in: nobody looks whether the launch was refused.

#include "check.hpp"

// out(row, col) = in(row, cols - 1 - col), one thread a pixel.
// Device memory: rows x cols pixels, row after row: pixel (row, col) is [row * cols + col].
__global__ void mirror(const float* in, float* out, int rows, int cols) {
  // x, whose threads are neighbours in a warp, belongs to the columns, which are neighbours in
  // memory. That the warp reads them backwards costs nothing.
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;  // the last blocks may reach beyond either edge
  const size_t start = static_cast<size_t>(row) * cols;
  out[start + col] = in[start + (cols - 1 - col)];
}

// Both pointers are to device memory. rows may be 0, and so may cols: then there are no pixels.
void launch_mirror(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 block(32, 32);  // 256 threads; a block has at most 1024
  const dim3 grid((cols - 1) / block.x + 1, (rows - 1) / block.y + 1);
  mirror<<<grid, block>>>(in, out, rows, cols);
}
