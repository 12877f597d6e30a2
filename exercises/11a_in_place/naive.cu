// A slow version for the checks to compare with: each thread swaps one pair, from memory to memory.

#include "check.hpp"
#include "row_major.hpp"

namespace {

__global__ void swap_pairs(float* A, int n, int lda) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= y || x >= n) return;
  const float above = A[course::at(y, x, lda)];
  A[course::at(y, x, lda)] = A[course::at(x, y, lda)];
  A[course::at(x, y, lda)] = above;
}

}  // namespace

void launch_naive(float* A, int n, int lda) {
  const int blocks = (n + 31) / 32;
  swap_pairs<<<dim3(blocks, blocks), dim3(32, 32)>>>(A, n, lda);
  CUDA_CHECK_LAUNCH();
}
