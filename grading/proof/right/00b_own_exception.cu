// A right solution for 00b: an exception of the student's own says that the launch was refused.
// expected: full marks

#include <stdexcept>
#include <string>

#include "check.hpp"

#define MUST(call)                                                                      \
  do {                                                                                  \
    const cudaError_t status = (call);                                                  \
    if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + #call); \
  } while (false)

__global__ void mirror(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  out[static_cast<size_t>(row) * cols + col] = in[static_cast<size_t>(row) * cols + cols - 1 - col];
}

void launch_mirror(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  mirror<<<dim3((cols - 1) / 32 + 1, (rows - 1) / 8 + 1), dim3(32, 8)>>>(in, out, rows, cols);
  MUST(cudaGetLastError());
}
