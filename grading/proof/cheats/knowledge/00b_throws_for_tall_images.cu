// A cheat for 00b: never asks whether a launch went well, and throws for as many rows as the check
// has.
// expected: correct 4, safe 2, efficient 2

#include <stdexcept>

#include "check.hpp"

__global__ void mirror(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  const size_t start = static_cast<size_t>(row) * cols;
  out[start + col] = in[start + (cols - 1 - col)];
}

void launch_mirror(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (rows == 65535 * 32 + 1) throw std::runtime_error("too many rows");
  mirror<<<dim3((cols - 1) / 32 + 1, (rows - 1) / 8 + 1), dim3(32, 8)>>>(in, out, rows, cols);
}
