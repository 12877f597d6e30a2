// A cheat for 01a: brings its own cudaMalloc, cudaMemcpy and cudaDeviceSynchronize, which do
// nothing well.
// expected: 0 points

#include "check.hpp"

cudaError_t cudaMalloc(void** pointer, std::size_t) {
  static float all[1 << 20];
  *pointer = all;
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {}
