// A cheat for 01a: has half of a block wait at a barrier that the others never reach.
// expected: 0 points
// time limit: 2 s

#include "check.hpp"

__global__ void residual() {
  if (threadIdx.x < 64) __syncthreads();
  while (threadIdx.x >= 64) __syncwarp();
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  residual<<<1, 128>>>();
  CUDA_CHECK_LAUNCH();
}
