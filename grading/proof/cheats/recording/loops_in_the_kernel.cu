// A cheat for 01a: launches a kernel that never ends.
// expected: 0 points
// time limit: 2 s

#include "check.hpp"

__global__ void residual(volatile int* forever) {
  while (*forever == 0) {
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  int* forever = nullptr;
  CUDA_CHECK(cudaMalloc(&forever, sizeof(int)));
  CUDA_CHECK(cudaMemset(forever, 0, sizeof(int)));
  residual<<<1, 32>>>(forever);
  CUDA_CHECK(cudaDeviceSynchronize());
}
